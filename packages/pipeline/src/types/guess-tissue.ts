import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import type { ScoredSet } from "./score-clusters.ts";
import { CANDIDATES } from "../model/constants.ts";

/** Tissues that are never guessed, because their types resemble those of other tissues too much. */
const ONLY_GIVEN: readonly Tissue[] = ["embryo"];

export interface TissueGuess {
  tissue: Tissue | "unknown";
  /** This tissue, and those that lie close behind; empty if it is unknown. */
  likely: readonly Tissue[];
  /** Gain of each tissue, in standard errors. */
  scores: Record<string, number>;
}

/**
 * Finds the tissue whose own types, added to ubiquitous ones, raise the clusters' best scores most. Scores are the mean
 * raise of each type's markers in the spots' counts, in standard errors. A type of two tissues speaks half for each: the
 * endocrine cells of intestine and stomach resemble those of the pancreas. O(sets² · clusters).
 */
export function guessTissue(
  scored: readonly (readonly ScoredSet[])[],
  clusterSizes: ArrayLike<number>,
): TissueGuess {
  const sets = [...new Set(scored.flatMap((ofCluster) => ofCluster.map(({ set }) => set)))];
  const scores = sets.map((set) =>
    Float64Array.from(scored, (ofCluster) => {
      const found = ofCluster.find((one) => one.set === set);
      return found ? found.raise / found.error : 0;
    }),
  );
  const ranked = rankTissues(sets, scores, clusterSizes);
  const first = ranked.at(0);
  const isKnown = first !== undefined && first.gain > CANDIDATES.MIN_GAIN;
  return {
    tissue: isKnown ? first.tissue : "unknown",
    likely: isKnown
      ? ranked
          .filter(({ gain }) => gain * CANDIDATES.TIMES_NEXT > first.gain)
          .map(({ tissue }) => tissue)
      : [],
    scores: Object.fromEntries(
      ranked.map(({ tissue, gain }) => [tissue, Math.round(gain * 1000) / 1000]),
    ),
  };
}

interface Gain {
  tissue: Tissue;
  /** By how much the tissue's own types exceed ubiquitous ones: mean over clusters, weighted by the root of their size. */
  gain: number;
}

/** Tissues by decreasing gain. `scores`: one row per set, of clusters. */
function rankTissues(
  sets: readonly MarkerSet[],
  scores: readonly Float64Array[],
  clusterSizes: ArrayLike<number>,
): Gain[] {
  const ubiquitous = sets.map((set) => set.tissues.includes("any"));
  const tissuesOf = sets.map((set) => set.tissues.filter((tissue) => !ONLY_GIVEN.includes(tissue)));
  const weights = Array.from(clusterSizes, Math.sqrt);
  const total = weights.reduce((a, b) => a + b, 0);
  const base = weights.map((_, cluster) =>
    Math.max(0, ...scores.flatMap((row, i) => (ubiquitous[i] ? row[cluster] : []))),
  );
  const tissues = new Set(tissuesOf.flat());
  tissues.delete("any");
  return Array.from(tissues, (tissue) => {
    const own = [...sets.keys()].filter((i) => tissuesOf[i].includes(tissue));
    const gainOf = (cluster: number): number =>
      Math.max(0, ...own.map((i) => (scores[i][cluster] - base[cluster]) / tissuesOf[i].length));
    const sum = weights.reduce((all, weight, cluster) => all + weight * gainOf(cluster), 0);
    return { tissue, gain: total > 0 ? sum / total : 0 };
  }).sort((a, b) => b.gain - a.gain);
}
