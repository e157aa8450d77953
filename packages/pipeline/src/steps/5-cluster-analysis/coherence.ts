import { standardized, type CellRates, type GeneStatistics } from "./gene-statistics.ts";
import type { ResolvedSet } from "../../types/resolve-sets.ts";

/**
 * Mean pairwise correlation over cells of a set's markers (0 for independent genes, 1 for identical ones), computed
 * from the variance of their sum. O(markers · cells).
 */
export function coherence(
  { present }: ResolvedSet,
  statistics: ReadonlyMap<number, GeneStatistics>,
  { nCells, rates }: CellRates,
): number {
  const n = present.length;
  if (n < 2 || nCells < 2) return 0;
  const sums = new Float64Array(nCells);
  let own = 0;
  const variance = (values: ArrayLike<number>): number => {
    let [sum, squares] = [0, 0];
    for (let cell = 0; cell < nCells; cell++) {
      sum += values[cell];
      squares += values[cell] * values[cell];
    }
    return Math.max(0, squares / nCells - (sum / nCells) ** 2);
  };
  for (const { gene } of present) {
    const numbers = statistics.get(gene);
    if (!numbers) continue;
    const z = Float32Array.from(rates.column(gene), (rate) => standardized(rate, numbers));
    for (let cell = 0; cell < nCells; cell++) sums[cell] += z[cell];
    own += variance(z);
  }
  return own > 0 ? (variance(sums) - own) / ((n - 1) * own) : 0;
}
