import type { MarkerSet, Tissue } from "../markers/marker-set.ts";
import type { ScoredSet } from "./score-clusters.ts";
import { CANDIDATES } from "../model/type-constants.ts";

const { MIN_GAIN, TIMES_NEXT } = CANDIDATES;
/** Tissues that are never guessed, because their types resemble those of other tissues too much. */
const ONLY_GIVEN: readonly Tissue[] = ["embryo"];

export interface TissueGuess {
  tissue: Tissue | "unknown";
  /** Gain of each tissue, in standard errors. */
  scores: Record<string, number>;
}

/**
 * Finds the tissue whose own types, added to ubiquitous ones, raise the clusters' best scores most. Scores are the mean
 * raise of each type's markers in the spots' counts, in standard errors. O(sets² · clusters).
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
  const [first, second] = ranked;
  const isClear = first && first.gain > MIN_GAIN && first.gain > TIMES_NEXT * (second?.gain ?? 0);
  return {
    tissue: isClear ? first.tissue : "unknown",
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
  const bestOf = (tissue: Tissue, cluster: number): number =>
    Math.max(
      0,
      ...scores.flatMap((row, i) => (sets[i].tissues.includes(tissue) ? row[cluster] : [])),
    );
  const weights = Array.from(clusterSizes, Math.sqrt);
  const total = weights.reduce((a, b) => a + b, 0);
  const base = weights.map((_, cluster) => bestOf("any", cluster));
  const tissues = new Set(sets.flatMap((set) => set.tissues));
  tissues.delete("any");
  for (const tissue of ONLY_GIVEN) tissues.delete(tissue);
  return Array.from(tissues, (tissue) => {
    const sum = weights.reduce(
      (all, weight, cluster) => all + weight * Math.max(0, bestOf(tissue, cluster) - base[cluster]),
      0,
    );
    return { tissue, gain: total > 0 ? sum / total : 0 };
  }).sort((a, b) => b.gain - a.gain);
}
