import { describeCandidates, N_FEATURES } from "./candidate-shapes.ts";
import { CENTER, HIGH, LOW, SPREAD, WEIGHTS } from "./candidate-score-weights.ts";
import { uniteParts, type Union } from "./unite-parts.ts";
import type { Seeds } from "./vote-seeds.ts";
import { LEVELS, SUMS_A_PART, type VotedParts } from "./voted-parts.ts";

/** Features of every candidate in a tile. */
export interface Candidates {
  /** Rows of N_FEATURES: LEVELS.length per part (starting at part 0), then as many per union. */
  features: Float32Array;
  /** Number of levels with enough pixels, for each part and then each union. */
  nLevels: Uint8Array;
  unions: Union[];
}

/** Computes the features of every part and every union of two at every level. O(parts). */
export function findCandidates(parts: VotedParts, seeds: Seeds): Candidates {
  const { unions, sums } = uniteParts(parts, seeds);
  const nNodes = seeds.count + 1 + unions.length;
  const features = new Float32Array(nNodes * LEVELS.length * N_FEATURES);
  const nLevels = Uint8Array.from({ length: nNodes }, (_, node) => {
    const union = node - seeds.count - 1;
    const row = node * LEVELS.length;
    return union < 0
      ? describeCandidates(parts.sums, node * SUMS_A_PART, null, features, row)
      : describeCandidates(sums, union * SUMS_A_PART, unions[union].meeting, features, row);
  });
  return { features, nLevels, unions };
}

/**
 * Decides which candidates are nuclei. Each candidate gets a score for how well it matches one nucleus (0 for an
 * intersection over union of 0.25 or less, 1 for 0.75 or more; fitted by lab/bench/fit-candidate-score.ts). Each part and
 * union takes its best level; two parts merge if that raises the sum of (score − `minScore`, where positive) by more
 * than any other union of either. Only neighbors matter, so the result for a part depends on nothing farther away.
 * Returns, for each part, the part whose nucleus it belongs to and, for that one, the probability its pixels exceed.
 */
export function chooseCandidates(
  { features, nLevels, unions }: Candidates,
  nParts: number,
  minScore: number,
): { nucleusOf: Int32Array; minProbability: Float64Array } {
  const fitted = { low: LOW, high: HIGH, center: CENTER, spread: SPREAD, weights: WEIGHTS };
  const scores = quadraticScores(features, fitted);
  const best = new Float64Array(nLevels.length).fill(-Infinity);
  const level = new Int8Array(nLevels.length);
  for (let node = 1; node < nLevels.length; node++) {
    for (let i = 0; i < nLevels[node]; i++) {
      const score = scores[node * LEVELS.length + i];
      if (score <= best[node]) continue;
      best[node] = score;
      level[node] = i;
    }
  }
  const worth = (node: number): number => Math.max(0, best[node] - minScore);
  const gain = unions.map(({ a, b }, i) => best[nParts + 1 + i] - minScore - worth(a) - worth(b));
  const chosen = new Int32Array(nParts + 1).fill(-1);
  unions.forEach(({ a, b }, i) => {
    if (gain[i] <= 0) return;
    for (const part of [a, b]) {
      if (chosen[part] < 0 || gain[i] > gain[chosen[part]]) chosen[part] = i;
    }
  });
  const nucleusOf = Int32Array.from({ length: nParts + 1 }, (_, part) => part);
  // Infinity, because no pixel exceeds it.
  const minProbability = new Float64Array(nParts + 1).fill(Infinity);
  for (let part = 1; part <= nParts; part++) {
    const i = chosen[part];
    const isUnion = i >= 0 && chosen[unions[i].a] === i && chosen[unions[i].b] === i;
    if (isUnion) nucleusOf[part] = unions[i].a;
    const node = isUnion ? nParts + 1 + i : part;
    if (best[node] > minScore) minProbability[nucleusOf[part]] = LEVELS[level[node]];
  }
  return { nucleusOf, minProbability };
}

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
