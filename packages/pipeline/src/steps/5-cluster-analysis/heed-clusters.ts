import type { ScoredSet } from "../../types/name-clusters.ts";
import type { ResolvedSet } from "../../types/resolve-sets.ts";

/** Maximum shift of a cell's log odds between types by its cluster's markers, and the slope of the shift. */
const CLUSTER_SAY = 1;
const CLUSTER_SLOPE = 0.5;

/**
 * Shifts posteriors toward types whose markers the cell's cluster shows; the posterior of none does not change.
 * Modifies `posterior`.
 */
export function heedClusters(
  posterior: Float32Array,
  candidates: readonly ResolvedSet[],
  clusters: Int32Array,
  scores: readonly ScoredSet[][],
): void {
  const width = candidates.length + 1;
  const nTypes = candidates.length;
  const factors = scores.map((scored) => {
    const odds = candidates.map(
      ({ set }) => scored.find((one) => one.isType && one.set.name === set.name)?.odds ?? -Infinity,
    );
    const best = Math.max(...odds);
    if (best === -Infinity) return odds.map(() => 1);
    return odds.map((own) => Math.exp(-Math.min(CLUSTER_SAY, CLUSTER_SLOPE * (best - own))));
  });
  clusters.forEach((cluster, cell) => {
    if (cluster < 0) return;
    const own = posterior.subarray(cell * width, (cell + 1) * width);
    const named = 1 - own[nTypes];
    let sum = 0;
    for (let t = 0; t < nTypes; t++) sum += own[t] *= factors[cluster][t];
    for (let t = 0; t < nTypes; t++) own[t] *= sum > 0 ? named / sum : 0;
  });
}
