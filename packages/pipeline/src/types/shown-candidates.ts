import type { ScoredSet } from "./score-clusters.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { CANDIDATES } from "../model/constants.ts";

const { MIN_RAISE_IN_ERRORS } = CANDIDATES;
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
      (raiseOf.get(set.name) ?? -Infinity) >= MIN_RAISE_IN_ERRORS,
  );
}
