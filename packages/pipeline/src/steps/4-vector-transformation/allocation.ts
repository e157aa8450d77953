import type { SparseMatrix } from "@stipple/numerics/matrices";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { openGeneRates } from "../../model/gene-rates.ts";
import type { ModelFactors } from "../../model/spot-rates.ts";
import { RATES } from "../../model/constants.ts";
import { spotTotals } from "../../model/spot-totals.ts";

export interface Allocation {
  /** nCells × nGenes, integers. */
  counts: SparseMatrix;
  /** Observed counts of each gene that could not be assigned to a cell. */
  unassigned: Float64Array;
}

export interface AllocationModel extends Omit<ModelFactors, "nGenes"> {
  /** nSpots × nCells: the cells that share each spot's counts, and their capture weights. */
  overlap: SparseMatrix;
}

/**
 * Weight of the cells' totals for a gene that a spot counts `count` times in `nCells` cells, 0–1. Abundant genes even
 * out the totals; UMIs of a gene counted only a few times go where the gene is most likely expressed.
 */
export function weightOfTotals(count: number, nCells: number): number {
  return count / (count + RATES.HALF_WEIGHT_UMIS * nCells);
}

/**
 * Assigns every observed UMI to one of its spot's cells. The expected allocation, with λ = MB, is
 * e_cg = Σ_s y_sg A_sc λ_cg / Σ_c' A_sc' λ_c'g. The integer counts stay as close to it as gene and spot sums allow:
 * each UMI goes to the cell that lags farthest behind its expected count of the gene, plus a part of the lag in its total
 * relative to that total (`weightOfTotals`). Without the second term, RNA-rich cells would get nearly every UMI of genes
 * that a spot counts once. Independent draws would have the variance of e itself, which masks differences between cells
 * wherever e is below about ten UMIs. For every gene, the cells' counts plus `unassigned` equal the spots' counts exactly.
 * Deterministic; one pass over the genes. O(entries of Y × cells per spot × prototypes per cell + UMIs × cells per
 * spot).
 */
export async function allocateCounts(
  byGene: SparseMatrix,
  model: AllocationModel,
  options: { progress?: (fraction: number) => void; pause?: () => Promise<void> } = {},
): Promise<Allocation> {
  const { overlap } = model;
  const nCells = overlap.nCols;
  const nGenes = byGene.nRows;
  const { genesTogether, rates } = await openGeneRates({ ...model, nGenes });
  const state = {
    cells: cellStates(byGene, model),
    given: new Uint32Array(nCells),
    share: new Float64Array(widestRow(overlap)),
    lag: new Float64Array(widestRow(overlap)),
    unassigned: new Float64Array(nGenes),
    found: entryList(byGene, overlap),
  };
  const ends = new Uint32Array(nGenes);
  for (let from = 0; from < nGenes; from += genesTogether) {
    options.progress?.(from / nGenes);
    await options.pause?.();
    const to = Math.min(nGenes, from + genesTogether);
    const ofGenes = await rates(from, to);
    for (let gene = from; gene < to; gene++) {
      const ofGene = ofGenes.subarray((gene - from) * nCells, (gene - from + 1) * nCells);
      const nShares = allocateGene(byGene, overlap, gene, ofGene, state);
      listGiven(byGene, overlap, gene, nShares, state);
      ends[gene] = state.found.length;
    }
  }
  const shape = { nRows: nCells, nCols: nGenes };
  return { counts: byCell(state.found, ends, shape), unassigned: state.unassigned };
}

/** State while iterating over genes. */
interface AllocationState {
  /** nCells × {@link STATE}. */
  cells: Float64Array;
  /** Counts of the current gene. */
  given: Uint32Array;
  /** For the cells of the current spot: shares of its counts, and lags. */
  share: Float64Array;
  lag: Float64Array;
  unassigned: Float64Array;
  found: EntryList;
}

/**
 * Values of a cell that are used together are stored together: expected minus given counts for the current gene and for
 * the cell's total so far, and the weight of the latter. A bin of an HD slide captures a dozen cells.
 */
const [GENE_LAG, TOTAL_LAG, WEIGHT] = [0, 1, 2] as const;
/** A power of two, so that no cell straddles two cache lines. */
const STATE = 4;

/** Allocates a gene's counts to cells; `rates` is λ of the gene in all cells. Returns how many cells its spots have. */
function allocateGene(
  byGene: SparseMatrix,
  { indptr: spotStarts, indices: cells, data: capture }: SparseMatrix,
  gene: number,
  rates: Float32Array,
  { cells: states, given, share, lag, unassigned }: AllocationState,
): number {
  let nShares = 0;
  for (let entry = byGene.indptr[gene]; entry < byGene.indptr[gene + 1]; entry++) {
    const spot = byGene.indices[entry];
    const count = byGene.data[entry];
    if (!(count > 0)) continue;
    const first = spotStarts[spot];
    const n = spotStarts[spot + 1] - first;
    nShares += n;
    if (n === 0) {
      unassigned[gene] += count;
      continue;
    }
    if (n === 1) {
      // A lone cell gets exactly what was expected, so its lag does not change.
      given[cells[first]] += count;
      continue;
    }
    let total = 0;
    for (let i = 0; i < n; i++) {
      const own = capture[first + i] * rates[cells[first + i]];
      share[i] = own;
      total += own;
    }
    // The model gives this gene no rate here (all its counts lie elsewhere), so share by capture alone.
    if (!(total > 0)) {
      for (let i = 0; i < n; i++) total += share[i] = capture[first + i];
    }
    const part = weightOfTotals(count, n);
    let best = 0;
    let most = -Infinity;
    for (let i = 0; i < n; i++) {
      const at = STATE * cells[first + i];
      const expected = (count * share[i]) / total;
      const ofGene = states[at + GENE_LAG] + expected;
      const ofTotal = states[at + TOTAL_LAG] + expected;
      states[at + GENE_LAG] = ofGene;
      states[at + TOTAL_LAG] = ofTotal;
      const both = ofGene + part * states[at + WEIGHT] * ofTotal;
      lag[i] = both;
      if (both > most) {
        most = both;
        best = i;
      }
    }
    for (let left = count; ;) {
      const at = STATE * cells[first + best];
      // Take several UMIs at once if they would all go to this cell anyway.
      const taken = Math.min(left, Math.max(1, Math.floor(states[at + GENE_LAG])));
      given[cells[first + best]] += taken;
      const ofGene = (states[at + GENE_LAG] -= taken);
      const ofTotal = (states[at + TOTAL_LAG] -= taken);
      left -= taken;
      if (!(left > 0)) break;
      lag[best] = ofGene + part * states[at + WEIGHT] * ofTotal;
      best = 0;
      for (let i = 1; i < n; i++) if (lag[i] > lag[best]) best = i;
    }
  }
  return nShares;
}

/** Appends a gene's counts to the list and resets its cells (all, or those of its spots) for the next gene. */
function listGiven(
  byGene: SparseMatrix,
  { nCols: nCells, indptr: spotStarts, indices: cells }: SparseMatrix,
  gene: number,
  nShares: number,
  { cells: states, given, found }: AllocationState,
): void {
  let { length } = found;
  if (nShares > nCells) {
    for (let cell = 0; cell < nCells; cell++) {
      states[STATE * cell + GENE_LAG] = 0;
      if (given[cell] === 0) continue;
      found.cells[length] = cell;
      found.counts[length++] = given[cell];
      given[cell] = 0;
    }
  } else {
    for (let entry = byGene.indptr[gene]; entry < byGene.indptr[gene + 1]; entry++) {
      const spot = byGene.indices[entry];
      for (let e = spotStarts[spot]; e < spotStarts[spot + 1]; e++) {
        const cell = cells[e];
        states[STATE * cell + GENE_LAG] = 0;
        if (given[cell] === 0) continue;
        found.cells[length] = cell;
        found.counts[length++] = given[cell];
        given[cell] = 0;
      }
    }
  }
  found.length = length;
}

/**
 * State of the cells before the first gene. A cell's weight is {@link RATES.TOTAL_WEIGHT} ÷ its expected total: the
 * spots' totals shared by capture and richness. O(entries of A + Y + B).
 */
function cellStates(byGene: SparseMatrix, model: AllocationModel): Float64Array {
  const { overlap, membership, profile, k } = model;
  const spotTotal = spotTotals(byGene);
  const richness = timesPrototypes(membership, prototypeTotals(profile, k));
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
  const states = new Float64Array(STATE * expected.length);
  for (let cell = 0; cell < expected.length; cell++) {
    states[STATE * cell + WEIGHT] = RATES.TOTAL_WEIGHT / Math.max(1, expected[cell]);
  }
  return states;
}

function widestRow({ indptr, nRows }: SparseMatrix): number {
  let widest = 0;
  for (let row = 0; row < nRows; row++) widest = Math.max(widest, indptr[row + 1] - indptr[row]);
  return widest;
}

/** Allocated counts, gene by gene. */
interface EntryList {
  cells: Uint32Array;
  counts: Float32Array;
  length: number;
}

/** Allocates enough space: a spot gives a gene to at most as many cells as it has cells or UMIs. O(entries). */
function entryList(byGene: SparseMatrix, { indptr }: SparseMatrix): EntryList {
  let most = 0;
  for (let e = 0; e < byGene.indices.length; e++) {
    const spot = byGene.indices[e];
    most += Math.min(indptr[spot + 1] - indptr[spot], Math.ceil(byGene.data[e]));
  }
  return { cells: new Uint32Array(most), counts: new Float32Array(most), length: 0 };
}

/** Converts gene-by-gene entries to rows of cells. Genes ascend within each row because they do in the list. */
function byCell(
  { cells, counts, length }: EntryList,
  ends: Uint32Array,
  shape: { nRows: number; nCols: number },
): SparseMatrix {
  const indptr = new Uint32Array(shape.nRows + 1);
  for (let e = 0; e < length; e++) indptr[cells[e] + 1]++;
  for (let row = 0; row < shape.nRows; row++) indptr[row + 1] += indptr[row];
  const next = indptr.slice(0, shape.nRows);
  const indices = new Uint32Array(length);
  const data = new Float32Array(length);
  for (let gene = 0, e = 0; gene < shape.nCols; gene++) {
    for (const end = ends[gene]; e < end; e++) {
      const to = next[cells[e]]++;
      indices[to] = gene;
      data[to] = counts[e];
    }
  }
  return { ...shape, indptr, indices, data };
}
