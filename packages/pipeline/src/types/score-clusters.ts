import type { MarkerSet } from "../markers/marker-set.ts";
import { CANDIDATES } from "../model/constants.ts";
import { GUARDS } from "../model/limits.ts";
import type { ResolvedSet } from "./resolve-sets.ts";

/** Evidence for a cluster from a set's markers. */
export interface ScoredSet {
  set: MarkerSet;
  /** Mean raise of all markers, and its standard error. */
  raise: number;
  error: number;
}

/** Groups of cells and the model's rates in them. */
export interface CellGroups {
  /** Cells in each group. */
  sizes: Float64Array;
  /** Mean rate of a gene in the cells of each group. */
  ratesOf(gene: number): Float64Array;
}

/**
 * Compares the rates of each group's cells with the markers of types. Markers without rates and sets without markers
 * are left out. O(markers · groups).
 */
export function scoreClusters(
  types: readonly Pick<ResolvedSet, "set" | "markers">[],
  { sizes, ratesOf }: CellGroups,
): ScoredSet[][] {
  const raises = new Map<number, Float64Array | null>();
  for (const gene of types.flatMap(({ markers }) => markers)) {
    if (!raises.has(gene)) raises.set(gene, raisesOf(ratesOf(gene), sizes));
  }
  const known = types.map(({ set, markers }) => ({
    set,
    raises: markers.flatMap((gene) => raises.get(gene) ?? []),
  }));
  return Array.from(sizes, (_, group) => {
    const sets = known.map(({ set, raises: own }) => ({
      set,
      values: own.map((raise) => raise[group]),
    }));
    const spread = Math.max(CANDIDATES.MIN_SPREAD, spreadOf(sets.map(({ values }) => values)));
    return sets.flatMap(({ set, values }): ScoredSet[] =>
      values.length === 0
        ? []
        : [
            {
              set,
              raise: values.reduce((sum, value) => sum + value, 0) / values.length,
              error: spread / Math.sqrt(values.length),
            },
          ],
    );
  });
}

/**
 * Log rates of a gene in groups minus their mean over groups, weighted by the root of group size; 0 in groups without
 * cells. Null if the gene has no rates.
 */
function raisesOf(rates: Float64Array, sizes: Float64Array): Float64Array | null {
  const weights = sizes.map(Math.sqrt);
  const total = weights.reduce((a, b) => a + b, 0);
  const usual = rates.reduce((sum, rate, j) => sum + rate * weights[j], 0) / total;
  if (!(usual > 0)) return null;
  const logs = rates.map((rate) => Math.log(Math.max(rate, GUARDS.MIN_LEVEL * usual)));
  const mean = logs.reduce((sum, log, j) => sum + (log * weights[j]) / total, 0);
  return logs.map((log, j) => (sizes[j] > 0 ? log - mean : 0));
}

/** Standard deviation of markers around the mean of their set, from the median absolute deviation. */
function spreadOf(sets: readonly (readonly number[])[]): number {
  const away = sets
    .filter((values) => values.length > 2)
    .flatMap((values) => {
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      return values.map(
        (value) => Math.abs(value - mean) * Math.sqrt(values.length / (values.length - 1)),
      );
    })
    .sort((a, b) => a - b);
  return away.length > 0 ? 1.48 * away[away.length >> 1] : 0;
}
