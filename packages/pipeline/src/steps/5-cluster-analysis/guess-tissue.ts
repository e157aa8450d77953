import type { GeneStatistics } from "./gene-statistics.ts";
import type { Tissue } from "../../markers/marker-set.ts";
import type { ResolvedSet } from "./resolve-sets.ts";
import { setScore } from "./set-score.ts";

/**
 * A tissue's own types must explain the clusters this much better than ubiquitous types. A wrong tissue costs more
 * names than no tissue (docs/methods/5-cluster-analysis.md), …
 */
const MIN_GAIN = 0.5;
/**
 * … or this much in a whole transcriptome, where most markers are hardly counted, if it is also this many times better
 * than the next tissue.
 */
const MIN_GAIN_OF_WHOLE = 0.3;
const TIMES_NEXT = 2;
/** A set counts for a tissue only if about this fraction of its markers is expressed at all. */
const MIN_COVERAGE = 0.3;

/** Tissues that are never guessed, because their types resemble those of other tissues too much. */
const ONLY_GIVEN: readonly Tissue[] = ["embryo"];

export interface TissueGuess {
  tissue: Tissue | "unknown";
  /** Gain of each tissue, in units of the set score. */
  scores: Record<string, number>;
}

/**
 * Finds the tissue whose own types, added to ubiquitous ones, raise the clusters' best scores most: mean over clusters,
 * weighted by the square root of their size. In a whole transcriptome, sets of hardly counted markers count less.
 * O(sets · markers · clusters).
 */
export function guessTissue(
  sets: readonly ResolvedSet[],
  statistics: ReadonlyMap<number, GeneStatistics>,
  clusterSizes: ArrayLike<number>,
  isWholeTranscriptome: boolean,
): TissueGuess {
  const nClusters = clusterSizes.length;
  const trust = isWholeTranscriptome ? trustIn(sets) : sets.map(() => 1);
  const scores = sets.map((resolved, i) => {
    const coverage = resolved.present.length / resolved.set.markers.length;
    const damping = trust[i] * Math.min(1, coverage / MIN_COVERAGE);
    return Float64Array.from({ length: nClusters }, (_, cluster) => {
      const score = setScore(resolved, (gene) => statistics.get(gene)?.clusterMean[cluster] ?? 0);
      return damping * score;
    });
  });
  const isCommon = sets.map(({ set }) => set.tissues.includes("any"));
  const base = Float64Array.from({ length: nClusters }, (_, cluster) =>
    Math.max(0, ...scores.filter((_, i) => isCommon[i]).map((row) => row[cluster])),
  );
  const tissues = new Set(sets.flatMap(({ set }) => set.tissues));
  tissues.delete("any");
  for (const tissue of ONLY_GIVEN) tissues.delete(tissue);
  const gains: Record<string, number> = {};
  const ranked: { tissue: Tissue; gain: number }[] = [];
  for (const tissue of tissues) {
    const own = scores.filter((_, i) => sets[i].set.tissues.includes(tissue));
    let [sum, weights] = [0, 0];
    for (let cluster = 0; cluster < nClusters; cluster++) {
      const weight = Math.sqrt(clusterSizes[cluster]);
      sum += weight * Math.max(0, ...own.map((row) => row[cluster] - base[cluster]));
      weights += weight;
    }
    const gain = weights > 0 ? sum / weights : 0;
    gains[tissue] = Math.round(gain * 1000) / 1000;
    ranked.push({ tissue, gain });
  }
  const [first, second] = ranked.sort((a, b) => b.gain - a.gain);
  const isClear =
    first !== undefined &&
    (first.gain > MIN_GAIN ||
      (isWholeTranscriptome &&
        first.gain > MIN_GAIN_OF_WHOLE &&
        first.gain > TIMES_NEXT * (second?.gain ?? 0)));
  return { tissue: isClear ? first.tissue : "unknown", scores: gains };
}

/**
 * How well each set's markers tell clusters apart, relative to the best set, 0–1: root mean square of their weights. A
 * score has the same scale whatever the weights, so in a whole transcriptome, where most lists consist of genes that are
 * hardly counted, the highest of many scores made of noise would otherwise hide the tissue.
 */
function trustIn(sets: readonly ResolvedSet[]): number[] {
  const each = sets.map(({ present }) =>
    Math.sqrt(present.reduce((sum, { weight }) => sum + weight * weight, 0) / present.length),
  );
  const most = Math.max(...each);
  return each.map((value) => value / most);
}
