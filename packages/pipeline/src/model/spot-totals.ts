import type { SparseMatrix } from "@stipple/numerics/matrices";
import { columnSums } from "@stipple/numerics/sparse";

/** Sums over all counts of a large slide are computed only once. */
const knownTotals = new WeakMap<SparseMatrix, Float64Array<ArrayBuffer>>();

/** Total counts of each spot, from a genes × spots matrix; must not be modified. */
export function spotTotals(byGene: SparseMatrix): Float64Array<ArrayBuffer> {
  const known = knownTotals.get(byGene);
  if (known) return known;
  const totals = columnSums(byGene);
  knownTotals.set(byGene, totals);
  return totals;
}
