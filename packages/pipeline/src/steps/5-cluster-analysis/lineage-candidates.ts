import { specificGenes, type NamedMarkers } from "../../types/name-clusters.ts";
import { MIN_MARKERS, type ResolvedSet } from "../../types/resolve-sets.ts";

/**
 * Candidates for lineages without any candidate type, each defined by all genes specific to it, whichever of its types
 * expresses them. Otherwise, cells of such a lineage would be assigned to another one.
 */
export function lineageCandidates(
  candidates: readonly ResolvedSet[],
  { types, classes }: { types: readonly NamedMarkers[]; classes: readonly NamedMarkers[] },
): ResolvedSet[] {
  const all = [...classes, ...types];
  const speaksForOne = specificGenes(all);
  return classes
    .filter(({ set }) => !candidates.some((known) => known.set.lineage === set.lineage))
    .map(({ set }): ResolvedSet => {
      const own = all.filter((other) => other.set.lineage === set.lineage);
      const markers = [...new Set(own.flatMap(({ genes }) => genes))].filter(speaksForOne);
      const present = markers.map((gene) => ({ gene, weight: 1 }));
      return { set: { ...set, name: set.lineage }, present, absent: [], markers, nReliable: 0 };
    })
    .filter(({ markers }) => markers.length >= MIN_MARKERS);
}
