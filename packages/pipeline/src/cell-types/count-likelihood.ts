import type { SparseMatrix } from "@stipple/numerics/matrices";
import { softmax } from "@stipple/numerics/softmax";
import { LEVELS } from "../model/constants.ts";
import { SAMPLES } from "../model/limits.ts";

const { DISPERSION } = LEVELS;
const { TOTALS_RATIO } = SAMPLES;
const CELLS_PER_PAUSE = 2048;

/** Cells with about the same number of counts. */
export interface CellsOfTotal {
  /** Counts of each, rounded to a power of {@link TOTALS_RATIO}. */
  total: number;
  cells: number[];
}

/** What a cell's counts are compared with. */
export interface Compositions {
  /** nGenes × nTypes: the types of a gene are adjacent. The shares of the genes in the counts of a type. */
  shares: Float64Array;
  nTypes: number;
}

/** Cells by their number of counts: all, or every so many of a large sample. O(counts). */
export function cellsByTotal(counts: SparseMatrix, which: "all" | "sample"): CellsOfTotal[] {
  const { nRows, indptr, data } = counts;
  const stride = which === "all" ? 1 : Math.max(1, Math.ceil(nRows / SAMPLES.CELLS));
  const cells = Array.from({ length: Math.ceil(nRows / stride) }, (_, i) => i * stride);
  const groups = Map.groupBy(cells, (cell) => {
    let total = 0;
    for (let k = indptr[cell]; k < indptr[cell + 1]; k++) total += data[k];
    return Math.round(Math.log(Math.max(1, total)) / Math.log(TOTALS_RATIO));
  });
  return [...groups].map(([power, cells]) => ({ total: TOTALS_RATIO ** power, cells }));
}

/**
 * Posterior of each cell's type, in an array that is used again for the next. A gene's count is negative binomial, with
 * mean n · share for a cell of n counts: a type's level in a gene differs from the expected one, by a factor with a
 * variance of {@link DISPERSION}, so that no abundant gene decides alone.
 * O(totals · genes · types + counts · types).
 * @param prior of the types
 */
export async function eachPosterior(
  { indptr, indices, data }: SparseMatrix,
  groups: readonly CellsOfTotal[],
  { shares, nTypes }: Compositions,
  prior: Float64Array,
  {
    pause,
    visit,
  }: {
    pause: (() => Promise<void>) | undefined;
    visit(cell: number, posterior: Float64Array, total: number): void;
  },
): Promise<void> {
  const logs = shares.map(Math.log);
  const perCount = new Float64Array(shares.length);
  const own = new Float64Array(nTypes);
  for (const { total, cells } of groups) {
    // What the prior and all genes say if none has a count.
    const empty = prior.map(Math.log);
    for (let i = 0; i < shares.length; i++) {
      const grown = Math.log1p(DISPERSION * total * shares[i]);
      perCount[i] = logs[i] - grown;
      empty[i % nTypes] -= grown / DISPERSION;
    }
    for (const [n, cell] of cells.entries()) {
      if (n % CELLS_PER_PAUSE === 0) await pause?.();
      own.set(empty);
      for (let k = indptr[cell]; k < indptr[cell + 1]; k++) {
        const [count, from] = [data[k], indices[k] * nTypes];
        for (let t = 0; t < nTypes; t++) own[t] += count * perCount[from + t];
      }
      softmax(own);
      visit(cell, own, total);
    }
  }
}
