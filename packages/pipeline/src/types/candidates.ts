import type { SparseMatrix } from "@stipple/numerics/matrices";
import { ANY_EPITHELIUM } from "../markers/index.ts";
import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import { isOutOfPlace } from "../markers/out-of-place.ts";
import { CANDIDATES, ENOUGH, LEARNED_PART } from "../model/constants.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import type { ScoredSet } from "./score-clusters.ts";

/** Ubiquitous types and those of the likely tissues; generic epithelium if these have no set for it. */
export function candidatesFor(
  tissue: Tissue | "unknown",
  likely: readonly Tissue[],
  broad: readonly MarkerSet[],
): MarkerSet[] {
  const sets = broad.filter(
    ({ name, tissues }) =>
      (tissues.includes("any") && !isOutOfPlace(name, tissue)) ||
      tissues.some((own) => likely.includes(own)),
  );
  return sets.some(({ lineage }) => lineage === ANY_EPITHELIUM.lineage)
    ? sets
    : [...sets, ANY_EPITHELIUM];
}

/** Lineages that every tissue contains, even if the counts do not show them: vessels and connective tissue. */
const EVERYWHERE: readonly string[] = ["Endothelial", "Stromal"];

/**
 * Candidates that a whole transcriptome can contain, judged by the counts of its clusters. A type that occurs in many
 * tissues but need not (a T cell, a mast cell) stays only if its markers are raised in some cluster. Otherwise it would
 * take cells of other types, because a few of its rarely counted markers are raised by chance. The tissue's own types,
 * vessels, and connective tissue always remain. O(candidates · scores).
 */
export function shownCandidates(
  candidates: readonly ResolvedSet[],
  scored: readonly (readonly ScoredSet[])[],
): ResolvedSet[] {
  const raiseOf = new Map<string, number>();
  for (const { set, raise, error } of scored.flat()) {
    raiseOf.set(set.name, Math.max(raiseOf.get(set.name) ?? -Infinity, raise / error));
  }
  return candidates.filter(
    ({ set }) =>
      !set.tissues.includes("any") ||
      EVERYWHERE.includes(set.lineage) ||
      (raiseOf.get(set.name) ?? -Infinity) >= CANDIDATES.MIN_RAISE_IN_ERRORS,
  );
}

/**
 * Whether so many genes were measured that they were not selected for the tissue, or only by a filter for genes that
 * vary: most then have hardly any counts, and some are expressed equally in all cells. The genes of a panel were chosen
 * because cells express them and differ in them.
 */
export function isWholeTranscriptome(nGenes: number): boolean {
  return nGenes > LEARNED_PART.MAX_PANEL_GENES;
}

/**
 * Tests which genes (nGenes × nSpots counts) have enough counts for typing: in a panel, all of them; in a whole
 * transcriptome, where most listed markers have few counts in any given tissue, those with 20 UMIs or more.
 */
export function countedMarkers({ nRows, indptr, data }: SparseMatrix): (gene: number) => boolean {
  if (!isWholeTranscriptome(nRows)) return () => true;
  return (gene) => {
    let umis = 0;
    for (let k = indptr[gene]; k < indptr[gene + 1] && umis < ENOUGH.COUNTS; k++) umis += data[k];
    return umis >= ENOUGH.COUNTS;
  };
}
