import type { SparseMatrix } from "../../fields.ts";
import { openSpotRates } from "../../model/spot-rates.ts";
import { TOTAL_WEIGHT } from "./allocation.ts";

/** Some spots, and the cells that share their counts: each cell those of one spot alone. */
export interface SpotBlock {
  /** nSpots × nGenes, genes ascending in every row. */
  counts: SparseMatrix;
  /** nSpots × nCells, both numbered within the block. */
  sharing: SparseMatrix;
  /** M of these cells, nCells × k. */
  membership: Float32Array;
}

export interface AllocatedBlock {
  /** nCells × nGenes, integers. */
  counts: SparseMatrix;
  /** By gene. */
  unassigned: Float64Array;
}

/**
 * {@link allocateCounts} where no cell has counts of two spots: what one spot gives then depends on no other, so that
 * spots are gone through one after the other, and on any thread, with the same result to the bit.
 */
export function allocateBlock(
  { profile, k }: { profile: Float32Array; k: number },
  { counts, sharing, membership }: SpotBlock,
): AllocatedBlock {
  const nGenes = counts.nCols;
  const nCells = sharing.nCols;
  const ratesInSpot = openSpotRates({ membership, profile, k, nGenes }, sharing);
  const richness = richnessOf(membership, profile, k);
  const unassigned = new Float64Array(nGenes);
  const rows: { genes: Uint32Array; given: Float32Array }[] = new Array(nCells);
  for (let spot = 0; spot < counts.nRows; spot++) {
    const genes = counts.indices.subarray(counts.indptr[spot], counts.indptr[spot + 1]);
    const seen = counts.data.subarray(counts.indptr[spot], counts.indptr[spot + 1]);
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    if (first === end) {
      for (let i = 0; i < genes.length; i++) unassigned[genes[i]] += seen[i];
      continue;
    }
    const cells = sharing.indices.subarray(first, end);
    const capture = sharing.data.subarray(first, end);
    const weight = weightsOf(
      seen,
      capture,
      Float64Array.from(cells, (cell) => richness[cell]),
    );
    const given = give(seen, ratesInSpot(spot, genes), capture, weight);
    for (let c = 0; c < cells.length; c++) rows[cells[c]] = rowOf(given, c, genes);
  }
  const indptr = new Uint32Array(nCells + 1);
  for (let cell = 0; cell < nCells; cell++) {
    indptr[cell + 1] = indptr[cell] + rows[cell].genes.length;
  }
  const indices = new Uint32Array(indptr[nCells]);
  const data = new Float32Array(indptr[nCells]);
  rows.forEach(({ genes, given }, cell) => {
    indices.set(genes, indptr[cell]);
    data.set(given, indptr[cell]);
  });
  return { counts: { nRows: nCells, nCols: nGenes, indptr, indices, data }, unassigned };
}

/** Expected total of each cell before its spot is looked at. */
function richnessOf(membership: Float32Array, profile: Float32Array, k: number): Float64Array {
  const nGenes = profile.length / k;
  const perPrototype = new Float64Array(k);
  for (let i = 0, j = 0; j < k; j++) {
    for (const end = i + nGenes; i < end; i++) perPrototype[j] += profile[i];
  }
  return Float64Array.from({ length: membership.length / k }, (_, cell) => {
    let total = 0;
    for (let j = 0; j < k; j++) total += membership[cell * k + j] * perPrototype[j];
    return total;
  });
}

/** Weight of the lag of each cell's total: see `totalWeights` in allocation.ts. */
function weightsOf(
  seen: Float32Array,
  capture: Float32Array,
  richness: Float64Array,
): Float64Array {
  const spotTotal = seen.reduce((sum, count) => sum + count, 0);
  let total = 0;
  for (let c = 0; c < capture.length; c++) total += capture[c] * richness[c];
  return richness.map((value, c) => {
    const expected = total > 0 ? (spotTotal * capture[c] * value) / total : 0;
    return TOTAL_WEIGHT / Math.max(1, expected);
  });
}

/** UMIs of one spot for each of its cells, cells × genes. */
function give(
  seen: Float32Array,
  rates: Float64Array,
  capture: Float32Array,
  weight: Float64Array,
): Uint32Array {
  const n = capture.length;
  const nGenes = seen.length;
  const given = new Uint32Array(n * nGenes);
  const share = new Float64Array(n);
  /** Expected minus given: of the cell's total so far, and of the current gene. */
  const totalLag = new Float64Array(n);
  const geneLag = new Float64Array(n);
  for (let gene = 0; gene < nGenes; gene++) {
    const count = seen[gene];
    if (!(count > 0)) continue;
    let total = 0;
    if (n > 1) {
      for (let c = 0; c < n; c++) total += share[c] = capture[c] * rates[c * nGenes + gene];
    }
    // A gene that the model gives no rate here (all its counts lie elsewhere): share by capture alone.
    if (!(total > 0)) {
      total = 0;
      for (let c = 0; c < n; c++) total += share[c] = capture[c];
    }
    for (let c = 0; c < n; c++) {
      const expected = (count * share[c]) / total;
      geneLag[c] = expected;
      totalLag[c] += expected;
    }
    for (let left = count; left > 0;) {
      let best = 0;
      let most = -Infinity;
      for (let c = 0; c < n; c++) {
        const lag = geneLag[c] + weight[c] * totalLag[c];
        if (lag > most) {
          most = lag;
          best = c;
        }
      }
      // Many UMIs at once where one cell takes them anyway.
      const taken = n === 1 ? left : Math.min(left, Math.max(1, Math.floor(geneLag[best])));
      given[best * nGenes + gene] += taken;
      geneLag[best] -= taken;
      totalLag[best] -= taken;
      left -= taken;
    }
  }
  return given;
}

/** What one cell was given, without zeros. */
function rowOf(
  all: Uint32Array,
  cell: number,
  genes: Uint32Array,
): { genes: Uint32Array; given: Float32Array } {
  const row = all.subarray(cell * genes.length, (cell + 1) * genes.length);
  let n = 0;
  for (let i = 0; i < row.length; i++) if (row[i] > 0) n++;
  const own = new Uint32Array(n);
  const given = new Float32Array(n);
  for (let i = 0, at = 0; i < row.length; i++) {
    if (row[i] === 0) continue;
    own[at] = genes[i];
    given[at++] = row[i];
  }
  return { genes: own, given };
}
