import type { SparseMatrix } from "../../fields.ts";
import { leadingMembers } from "../../model/leading-members.ts";

export interface Allocation {
  /** nCells × nGenes, integers. */
  counts: SparseMatrix;
  /** Observed counts of each gene that reached no cell. */
  unassigned: Float64Array;
}

export interface AllocationModel {
  /** nSpots × nCells: the cells that share each spot's counts, and their capture weights. */
  overlap: SparseMatrix;
  /** M, nCells × k. */
  membership: Float32Array;
  /** B, k × nGenes. */
  profile: Float32Array;
  k: number;
}

/** Weight of the lag of a cell's total, relative to the cell's total, beside the lag of a gene in it. */
export const TOTAL_WEIGHT = 0.5;

/**
 * Gives every observed UMI to one of its spot's cells. The expected allocation is e_cg = Σ_s y_sg A_sc λ_cg / Σ_c' A_sc' λ_c'g,
 * λ = MB; the integers stay as close to it as the sums of genes and of spots allow: each UMI goes to the cell that lags
 * furthest behind its expected count of the gene, to which half the lag of its total, relative to its total, is added.
 * Without that addition, cells rich in RNA would get nearly every UMI of genes that a spot counts once. Independent draws
 * would have the variance of e itself, which hides what differs between cells wherever e is below some ten UMIs.
 * For every gene the cells' counts plus `unassigned` equal the spots' counts exactly. Deterministic; one pass over the
 * genes. O(entries of Y × cells of a spot × prototypes of a cell + UMIs × cells of a spot).
 */
export async function allocateCounts(
  byGene: SparseMatrix,
  model: AllocationModel,
  options: { progress?: (fraction: number) => void; pause?: () => Promise<void> } = {},
): Promise<Allocation> {
  const { overlap, profile, k } = model;
  const { indptr: spotStarts, indices: cells, data: capture } = overlap;
  const nCells = overlap.nCols;
  const nGenes = byGene.nRows;
  const members = leadingMembers(model.membership, k);
  const unassigned = new Float64Array(nGenes);
  const weight = totalWeights(byGene, model);
  /** Expected minus given: of the cell's total so far, and of the current gene. */
  const totalLag = new Float64Array(nCells);
  const geneLag = new Float64Array(nCells);
  const given = new Uint32Array(nCells);
  const touched = new Uint32Array(nCells);
  const touchedBy = new Int32Array(nCells).fill(-1);
  /** Of the cells of the current spot: shares of its counts, and how far they lag. */
  const share = new Float64Array(widestRow(overlap));
  const lag = new Float64Array(share.length);
  const b = new Float64Array(k);
  /** λ of the current gene in the cells of its spots so far: a cell lies in many bins. */
  const rates = new Float64Array(nCells);
  const ratedFor = new Int32Array(nCells).fill(-1);
  const lengths = new Uint32Array(nCells + 1);
  const found = new EntryList();
  const ends = new Float64Array(nGenes);

  /** A_sc λ_cg of the spot's cells; their sum. */
  function fillShares(first: number, n: number, gene: number): number {
    let total = 0;
    for (let i = 0; i < n; i++) {
      const cell = cells[first + i];
      if (ratedFor[cell] !== gene) {
        ratedFor[cell] = gene;
        touch(cell, gene);
        let rate = 0;
        for (let m = members.indptr[cell]; m < members.indptr[cell + 1]; m++) {
          rate += members.data[m] * b[members.indices[m]];
        }
        rates[cell] = rate;
      }
      share[i] = capture[first + i] * rates[cell];
      total += share[i];
    }
    return total;
  }

  let nTouched = 0;
  function touch(cell: number, gene: number): void {
    if (touchedBy[cell] === gene) return;
    touchedBy[cell] = gene;
    touched[nTouched++] = cell;
  }

  for (let gene = 0; gene < nGenes; gene++) {
    if (gene % 32 === 0) {
      options.progress?.(gene / nGenes);
      await options.pause?.();
    }
    for (let j = 0; j < k; j++) b[j] = profile[j * nGenes + gene];
    nTouched = 0;
    for (let entry = byGene.indptr[gene]; entry < byGene.indptr[gene + 1]; entry++) {
      const spot = byGene.indices[entry];
      const count = byGene.data[entry];
      if (!(count > 0)) continue;
      const first = spotStarts[spot];
      const n = spotStarts[spot + 1] - first;
      if (n === 0) {
        unassigned[gene] += count;
        continue;
      }
      if (n === 1) {
        // What a cell alone is given is what was expected: it lags by as much as before.
        const cell = cells[first];
        touch(cell, gene);
        given[cell] += count;
        continue;
      }
      let total = fillShares(first, n, gene);
      // A gene that the model gives no rate here (all its counts lie elsewhere): share by capture alone.
      if (!(total > 0)) {
        for (let i = 0; i < n; i++) total += share[i] = capture[first + i];
      }
      let best = 0;
      let most = -Infinity;
      for (let i = 0; i < n; i++) {
        const cell = cells[first + i];
        const expected = (count * share[i]) / total;
        const ofGene = (geneLag[cell] += expected);
        const ofTotal = (totalLag[cell] += expected);
        lag[i] = ofGene + weight[cell] * ofTotal;
        if (lag[i] > most) {
          most = lag[i];
          best = i;
        }
      }
      for (let left = count; ;) {
        const cell = cells[first + best];
        // Many UMIs at once where one cell takes them anyway.
        const taken = Math.min(left, Math.max(1, Math.floor(geneLag[cell])));
        given[cell] += taken;
        const ofGene = (geneLag[cell] -= taken);
        const ofTotal = (totalLag[cell] -= taken);
        left -= taken;
        if (!(left > 0)) break;
        lag[best] = ofGene + weight[cell] * ofTotal;
        best = 0;
        for (let i = 1; i < n; i++) if (lag[i] > lag[best]) best = i;
      }
    }
    for (let i = 0; i < nTouched; i++) {
      const cell = touched[i];
      if (given[cell] > 0) {
        found.push(cell, given[cell]);
        lengths[cell + 1]++;
      }
      given[cell] = 0;
      geneLag[cell] = 0;
    }
    ends[gene] = found.length;
  }
  return { counts: byCell(found, ends, lengths, nGenes), unassigned };
}

/** ½ ÷ the total that each cell can expect: the spots' totals shared by capture and richness. O(entries of A + Y + B). */
function totalWeights(byGene: SparseMatrix, model: AllocationModel): Float64Array {
  const { overlap, membership, profile, k } = model;
  const perPrototype = new Float64Array(k);
  for (let i = 0, j = 0; j < k; j++) {
    for (const end = i + byGene.nRows; i < end; i++) perPrototype[j] += profile[i];
  }
  const spotTotal = new Float64Array(overlap.nRows);
  for (let e = 0; e < byGene.indices.length; e++) spotTotal[byGene.indices[e]] += byGene.data[e];
  const richness = new Float64Array(overlap.nCols);
  for (let cell = 0; cell < richness.length; cell++) {
    for (let j = 0; j < k; j++) richness[cell] += membership[cell * k + j] * perPrototype[j];
  }
  const expected = new Float64Array(overlap.nCols);
  for (let spot = 0; spot < overlap.nRows; spot++) {
    let total = 0;
    for (let e = overlap.indptr[spot]; e < overlap.indptr[spot + 1]; e++) {
      total += overlap.data[e] * richness[overlap.indices[e]];
    }
    if (!(total > 0)) continue;
    for (let e = overlap.indptr[spot]; e < overlap.indptr[spot + 1]; e++) {
      const cell = overlap.indices[e];
      expected[cell] += (spotTotal[spot] * overlap.data[e] * richness[cell]) / total;
    }
  }
  return expected.map((total) => TOTAL_WEIGHT / Math.max(1, total));
}

function widestRow({ indptr, nRows }: SparseMatrix): number {
  let widest = 0;
  for (let row = 0; row < nRows; row++) widest = Math.max(widest, indptr[row + 1] - indptr[row]);
  return widest;
}

const CHUNK = 1 << 20;

/** A list of cells and counts that grows without being copied. */
class EntryList {
  readonly cells: Uint32Array[] = [];
  readonly counts: Float32Array[] = [];
  length = 0;

  push(cell: number, count: number): void {
    const at = this.length % CHUNK;
    if (at === 0) {
      this.cells.push(new Uint32Array(CHUNK));
      this.counts.push(new Float32Array(CHUNK));
    }
    this.cells.at(-1)![at] = cell;
    this.counts.at(-1)![at] = count;
    this.length++;
  }
}

/** Rows of cells from entries gene by gene: genes ascend within a row because they do in the list. */
function byCell(
  found: EntryList,
  ends: Float64Array,
  lengths: Uint32Array,
  nGenes: number,
): SparseMatrix {
  const nRows = lengths.length - 1;
  const indptr = lengths;
  for (let row = 0; row < nRows; row++) indptr[row + 1] += indptr[row];
  const next = indptr.slice(0, nRows);
  const indices = new Uint32Array(found.length);
  const data = new Float32Array(found.length);
  for (let gene = 0, e = 0; gene < nGenes; gene++) {
    for (; e < ends[gene]; e++) {
      const [chunk, at] = [Math.floor(e / CHUNK), e % CHUNK];
      const to = next[found.cells[chunk][at]]++;
      indices[to] = gene;
      data[to] = found.counts[chunk][at];
    }
  }
  return { nRows, nCols: nGenes, indptr, indices, data };
}
