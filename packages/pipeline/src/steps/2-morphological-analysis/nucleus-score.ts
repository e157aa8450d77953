import { HILL_FEATURES } from "./hill-shapes.ts";
import { CENTRE, HIGH, LOW, SPREAD, WEIGHTS } from "./nucleus-score-weights.ts";

/** Number of terms: 1, the features, and their products two by two. */
export const SCORE_TERMS =
  1 + HILL_FEATURES.length + (HILL_FEATURES.length * (HILL_FEATURES.length + 1)) / 2;

/** Writes the terms of one node's standardized features into `terms`. */
export function scoreTerms(
  features: Float32Array,
  offset: number,
  scale: {
    low: ArrayLike<number>;
    high: ArrayLike<number>;
    centre: ArrayLike<number>;
    spread: ArrayLike<number>;
  },
  terms: Float64Array,
): void {
  const n = HILL_FEATURES.length;
  terms[0] = 1;
  for (let i = 0; i < n; i++) {
    const clipped = Math.min(scale.high[i], Math.max(scale.low[i], features[offset + i]));
    terms[1 + i] = (clipped - scale.centre[i]) / scale.spread[i];
  }
  for (let i = 0, at = 1 + n; i < n; i++) {
    for (let j = i; j < n; j++) terms[at++] = terms[1 + i] * terms[1 + j];
  }
}

/**
 * How well each node would do as one nucleus: about 0 for an overlap (intersection over union) with a true nucleus of
 * 0.25 and less, about 1 from 0.75. A quadratic function of the node's shape, fitted by ridge regression to nuclei with
 * known outlines (bench/fit-nucleus-score.ts). O(nodes).
 */
export function nucleusScores(features: Float32Array): Float32Array {
  const n = HILL_FEATURES.length;
  const count = features.length / n;
  const scores = new Float32Array(count);
  const terms = new Float64Array(SCORE_TERMS);
  const scale = { low: LOW, high: HIGH, centre: CENTRE, spread: SPREAD };
  for (let k = 0; k < count; k++) {
    scoreTerms(features, k * n, scale, terms);
    let sum = 0;
    for (let t = 0; t < SCORE_TERMS; t++) sum += WEIGHTS[t] * terms[t];
    scores[k] = sum;
  }
  return scores;
}
