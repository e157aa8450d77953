/** A quadratic function of standardized features, fitted by lab/bench/quadratic-fit.ts. */
export interface QuadraticScore {
  /** Lower clipping limit of each feature. */
  low: readonly number[];
  /** Upper clipping limit of each feature. */
  high: readonly number[];
  /** Mean of each feature. */
  center: readonly number[];
  /** Standard deviation of each feature. */
  spread: readonly number[];
  /** One per term, in the order of {@link quadraticTerms}. */
  weights: readonly number[];
}

/** Number of terms: 1, the features, and their pairwise products. */
export function termsOf(nFeatures: number): number {
  return 1 + nFeatures + (nFeatures * (nFeatures + 1)) / 2;
}

/** Standardizes the features starting at `offset` and writes their terms into `terms`. */
export function quadraticTerms(
  features: Float32Array,
  offset: number,
  scale: Omit<QuadraticScore, "weights">,
  terms: Float64Array,
): void {
  const n = scale.low.length;
  terms[0] = 1;
  for (let i = 0; i < n; i++) {
    const clipped = Math.min(scale.high[i], Math.max(scale.low[i], features[offset + i]));
    terms[1 + i] = (clipped - scale.center[i]) / scale.spread[i];
  }
  for (let i = 0, at = 1 + n; i < n; i++) {
    for (let j = i; j < n; j++) terms[at++] = terms[1 + i] * terms[1 + j];
  }
}

/** Scores every row of features. O(rows · features²). */
export function quadraticScores(features: Float32Array, score: QuadraticScore): Float32Array {
  const n = score.low.length;
  const scores = new Float32Array(features.length / n);
  const terms = new Float64Array(termsOf(n));
  for (let k = 0; k < scores.length; k++) {
    quadraticTerms(features, k * n, score, terms);
    let sum = 0;
    for (let t = 0; t < terms.length; t++) sum += score.weights[t] * terms[t];
    scores[k] = sum;
  }
  return scores;
}
