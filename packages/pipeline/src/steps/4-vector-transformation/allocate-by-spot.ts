import type { SparseMatrix } from "@stipple/numerics/matrices";
import { openSpotRates } from "../../model/spot-rates.ts";
import { TOTAL_WEIGHT, weightOfTotals } from "./allocation.ts";

/** A block of spots and the cells that share their counts. Each cell belongs to only one spot. */
export interface SpotBlock {
  /** nSpots × nGenes, genes ascending in every row. */
  counts: SparseMatrix;
  /** nSpots × nCells, both numbered within the block. */
  sharing: SparseMatrix;
  /** M for these cells, nCells × k. */
  membership: Float32Array;
}

export interface AllocatedBlock {
  /** nCells × nGenes, integers. */
  counts: SparseMatrix;
  /** By gene. */
  unassigned: Float64Array;
}

/**
 * {@link allocateCounts} for the case where no cell has counts from two spots. Spots are then independent, so they can
 * be processed one at a time, on any thread, with bit-identical results.
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
  const rows: CellRow[] = new Array(nCells);
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
    const rates = ratesInSpot(spot, genes);
    const found = rowsOf(give(seen, rates, capture, weight), genes, cells.length);
    for (let c = 0; c < cells.length; c++) rows[cells[c]] = found[c];
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

/** Counts allocated to one cell. */
interface CellRow {
  genes: Uint32Array;
  given: Float32Array;
}

/** Expected total of each cell before its spot is taken into account. */
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

/** Weight of the lag in each cell's total: see `cellStates` in allocation.ts. */
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

/**
 * Allocates the UMIs of one spot (`seen`) to its cells, cells × genes, by the rule of allocation.ts. `rates` is cells ×
 * genes and is modified; `weight` is that of the lag of each cell's total in an abundant gene.
 */
export function give(
  seen: Float32Array,
  rates: Float64Array,
  capture: Float32Array,
  weight: Float64Array,
): Uint32Array {
  const n = capture.length;
  const nGenes = seen.length;
  const given = new Uint32Array(n * nGenes);
  const total = shareOut(rates, capture, nGenes);
  let everything = 0;
  for (let c = 0; c < n; c++) everything += capture[c];
  /** Expected minus given, for the cell's total so far and for the current gene, and the two combined. */
  const totalLag = new Float64Array(n);
  const geneLag = new Float64Array(n);
  const lag = new Float64Array(n);
  for (let gene = 0; gene < nGenes; gene++) {
    const count = seen[gene];
    if (!(count > 0)) continue;
    const known = total[gene] > 0;
    const part = weightOfTotals(count, n);
    for (let c = 0, at = gene; c < n; c++, at += nGenes) {
      // The model gives this gene no rate here (all its counts lie elsewhere), so share by capture alone.
      const expected = known
        ? (count * rates[at]) / total[gene]
        : (count * capture[c]) / everything;
      geneLag[c] = expected;
      const ofTotal = (totalLag[c] += expected);
      lag[c] = expected + part * weight[c] * ofTotal;
    }
    for (let left = count; left > 0;) {
      let best = 0;
      for (let c = 1; c < n; c++) if (lag[c] > lag[best]) best = c;
      // Take several UMIs at once if they would all go to this cell anyway.
      const taken = n === 1 ? left : Math.min(left, Math.max(1, Math.floor(geneLag[best])));
      given[best * nGenes + gene] += taken;
      const ofGene = (geneLag[best] -= taken);
      const ofTotal = (totalLag[best] -= taken);
      lag[best] = ofGene + part * weight[best] * ofTotal;
      left -= taken;
    }
  }
  return given;
}

/** Multiplies rates (cells × genes) by capture in place; returns their sums over cells. A lone cell needs no shares. */
function shareOut(rates: Float64Array, capture: Float32Array, nGenes: number): Float64Array {
  const total = new Float64Array(nGenes);
  if (capture.length < 2) return total;
  for (let c = 0, at = 0; c < capture.length; c++) {
    const own = capture[c];
    for (let gene = 0; gene < nGenes; gene++, at++) total[gene] += rates[at] *= own;
  }
  return total;
}

/** Nonzero counts allocated to each cell. */
function rowsOf(all: Uint32Array, genes: Uint32Array, nCells: number): CellRow[] {
  return Array.from({ length: nCells }, (_, cell) => {
    const row = all.subarray(cell * genes.length, (cell + 1) * genes.length);
    const given = Float32Array.from(row.filter((count) => count > 0));
    return { genes: genes.filter((_, i) => row[i] > 0), given };
  });
}
