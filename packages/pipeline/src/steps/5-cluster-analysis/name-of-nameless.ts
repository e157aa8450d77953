import type { MarkerSet } from "../../markers/marker-set.ts";
import type { ClusterName } from "../../types/name-clusters.ts";

/** Most likely type of a cell that the fit leaves unnamed. */
export interface Likeliest {
  type: string;
  lineage: string;
  /** Posterior of the lineage of the likeliest type, and its margin over other lineages and none. */
  posterior: number;
  margin: number;
  /** Whether the cell is more likely none of the types. */
  isRatherNone: boolean;
}

/** Posterior of none at which a cell counts as more likely none of the types. */
const RATHER_NONE = 0.5;

/** A cell's likeliest type, given its posteriors of the types and, last, of none of them. O(types). */
export function likeliestOf(
  posterior: Float32Array,
  sets: readonly Pick<MarkerSet, "name" | "lineage">[],
): Likeliest | undefined {
  const shares = new Map<string, number>();
  let best = -1;
  sets.forEach(({ lineage }, t) => {
    shares.set(lineage, (shares.get(lineage) ?? 0) + posterior[t]);
    if (best < 0 || posterior[t] > posterior[best]) best = t;
  });
  if (best < 0) return undefined;
  const { name: type, lineage } = sets[best];
  const own = shares.get(lineage)!;
  const none = posterior[sets.length];
  shares.delete(lineage);
  return {
    type,
    lineage,
    posterior: own,
    margin: Math.max(0, own - Math.max(none, ...shares.values())),
    isRatherNone: none >= RATHER_NONE,
  };
}

/**
 * Names an unnamed cell after its cluster. Since cells of a cluster differ, a type is used only if the fit finds the
 * same type likeliest in the cell. Otherwise the lineage is used or, if the lineages differ too, the one found by the
 * fit. If the cell is more likely none of the types, the fit is ignored.
 */
export function nameOfNameless(
  cluster: ClusterName,
  likeliest: Likeliest | undefined,
): Omit<ClusterName, "lineage"> {
  if (!likeliest || likeliest.isRatherNone) return cluster;
  if (cluster.name === cluster.lineage || cluster.name === likeliest.type) return cluster;
  const { lineage, posterior, margin } = likeliest;
  if (lineage === cluster.lineage) return { ...cluster, name: lineage };
  return { name: lineage, posterior, margin, genes: [] };
}
