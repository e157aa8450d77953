import type { MarkerSet, Tissue } from "../../markers/marker-set.ts";
import type { GeneStatistics } from "./gene-statistics.ts";
import type { ScoredSet } from "./name-clusters.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { setScore } from "./set-score.ts";

/**
 * A tissue's own types must explain the clusters this much better than ubiquitous types. A wrong tissue costs more
 * names than no tissue (docs/methods/5-cluster-analysis.md).
 */
const MIN_GAIN = 0.5;
/** A set counts for a tissue only if about this fraction of its markers is expressed at all. */
const MIN_COVERAGE = 0.3;
/** {@link MIN_GAIN} for a whole transcriptome, in standard errors of the mean raise of a type's markers. */
const MIN_GAIN_IN_ERRORS = 1.2;
/** In a whole transcriptome, the gain must also be at least this many times that of the next tissue. */
const TIMES_NEXT = 1.5;

/** Tissues that are never guessed, because their types resemble those of other tissues too much. */
const ONLY_GIVEN: readonly Tissue[] = ["embryo"];

export interface TissueGuess {
  tissue: Tissue | "unknown";
  /** Gain of each tissue, in units of the set score; in a whole transcriptome, in standard errors. */
  scores: Record<string, number>;
}

/**
 * Finds the tissue whose own types, added to ubiquitous ones, raise the clusters' best scores most. Scores are those of
 * inferred rates. O(sets · markers · clusters).
 */
export function guessTissue(
  sets: readonly ResolvedSet[],
  statistics: ReadonlyMap<number, GeneStatistics>,
  clusterSizes: ArrayLike<number>,
): TissueGuess {
  const scores = sets.map((resolved) => {
    const coverage = resolved.present.length / resolved.set.markers.length;
    const damping = Math.min(1, coverage / MIN_COVERAGE);
    return Float64Array.from({ length: clusterSizes.length }, (_, cluster) => {
      const score = setScore(resolved, (gene) => statistics.get(gene)?.clusterMean[cluster] ?? 0);
      return damping * score;
    });
  });
  const ranked = rankTissues(
    sets.map(({ set }) => set),
    scores,
    clusterSizes,
  );
  return guessOf(ranked, (first) => first.gain > MIN_GAIN);
}

/**
 * The same for a whole transcriptome, from the spots' counts: the mean raise of each type's markers in each cluster, in
 * standard errors. Most markers have few counts there, so their inferred rates follow the model rather than the counts.
 * O(sets² · clusters).
 */
export function guessTissueByCounts(
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
  return guessOf(
    rankTissues(sets, scores, clusterSizes),
    (first, second) =>
      first.gain > MIN_GAIN_IN_ERRORS && first.gain > TIMES_NEXT * (second?.gain ?? 0),
  );
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

function guessOf(
  ranked: readonly Gain[],
  isClear: (first: Gain, second: Gain | undefined) => boolean,
): TissueGuess {
  const [first, second] = ranked;
  return {
    tissue: first && isClear(first, second) ? first.tissue : "unknown",
    scores: Object.fromEntries(
      ranked.map(({ tissue, gain }) => [tissue, Math.round(gain * 1000) / 1000]),
    ),
  };
}
