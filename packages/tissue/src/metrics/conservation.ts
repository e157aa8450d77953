import type { SparseMatrix } from "@stipple/numerics/matrices";

/** How much allocated plus unassigned counts differ from the observed ones. */
export interface Conservation {
  /** Difference in counts, in the gene where it is largest. */
  worstGeneDifference: number;
  /** Σ|difference| over genes, as a fraction of all counts. */
  relative: number;
}

/** Compares Σ over cells + unassigned with Σ over spots, gene by gene. O(entries). */
export function conservation(
  spots: SparseMatrix,
  cells: SparseMatrix,
  unassigned: Float64Array,
): Conservation {
  const rest = Float64Array.from(unassigned);
  let total = 0;
  for (let k = 0; k < cells.data.length; k++) rest[cells.indices[k]] += cells.data[k];
  for (let k = 0; k < spots.data.length; k++) {
    rest[spots.indices[k]] -= spots.data[k];
    total += spots.data[k];
  }
  const differences = rest.map(Math.abs);
  return {
    worstGeneDifference: differences.reduce((worst, value) => Math.max(worst, value), 0),
    relative: total > 0 ? differences.reduce((sum, value) => sum + value, 0) / total : 0,
  };
}
