import type { MarkerSet } from "../../markers/marker-set.ts";
import type { ClusterName } from "./name-clusters.ts";

/** What the fit takes a cell for that it gives no name. */
export interface Likeliest {
  type: string;
  lineage: string;
  /** Posterior of all types of the lineage of the likeliest type, and by how much it lies above those of others and of none. */
  posterior: number;
  margin: number;
  /** Whether the cell is rather none of the types. */
  isRatherNone: boolean;
}

/** Posterior of none of the types from which on a cell is rather none of them. */
const RATHER_NONE = 0.5;

/** A cell's likeliest type, by its posteriors of the types and, last, of none of them. O(types). */
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
 * The name of a cell that has none of its own: its cluster's. But cells of a cluster differ, so that a type is named only where
 * the fit finds the same type likeliest in the cell. Else its lineage is named, and where they differ in that as well, the one that
 * the fit finds. Of a cell that is rather none of its types the fit knows nothing.
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
