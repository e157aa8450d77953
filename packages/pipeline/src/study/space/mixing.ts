import type { Neighbors } from "@stipple/numerics/neighbors/find-neighbors";
import { Random } from "@stipple/numerics/random";

/** Neighbors of a point whose labels are looked at, and how many of them count in effect; as the authors of LISI have it. */
export const LOOKED_AT = 90;
const PERPLEXITY = 30;
const ROUNDS = 50;

/**
 * The local inverse Simpson's index (LISI, Korsunsky et al. 2019), mean over points: the effective number of labels among
 * a point's nearest neighbors, weighted by nearness so that 30 count in effect. 1: all neighbors have one label.
 */
export function meanLisi({ k, indices, distances }: Neighbors, labelOf: ArrayLike<number>): number {
  const n = labelOf.length;
  const labels = Array.from(labelOf).reduce((most, label) => Math.max(most, label), 0) + 1;
  const perplexity = Math.min(PERPLEXITY, k / 3);
  const weights = new Float64Array(k);
  const shares = new Float64Array(labels);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    weigh(distances.subarray(i * k, (i + 1) * k), perplexity, weights);
    shares.fill(0);
    for (let j = 0; j < k; j++) shares[labelOf[indices[i * k + j]]] += weights[j];
    sum += 1 / shares.reduce((squares, share) => squares + share * share, 0);
  }
  return sum / n;
}

/** {@link meanLisi} if labels were the same everywhere: those of the points, shuffled. */
export function fullyMixed(neighbors: Neighbors, labelOf: ArrayLike<number>): number {
  const shuffled = Array.from(labelOf);
  new Random(0).shuffle(shuffled);
  return meanLisi(neighbors, shuffled);
}

/** Weights exp(−β·distance) of sorted distances whose perplexity is as wanted; their sum is 1. */
function weigh(distances: Float64Array, perplexity: number, weights: Float64Array): void {
  const wanted = Math.log(perplexity);
  let [beta, low, high] = [1, 0, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    let [total, product] = [0, 0];
    for (let j = 0; j < weights.length; j++) {
      const away = distances[j] - distances[0];
      weights[j] = Math.exp(-beta * away);
      total += weights[j];
      product += weights[j] * away;
    }
    for (let j = 0; j < weights.length; j++) weights[j] /= total;
    const entropy = Math.log(total) + (beta * product) / total;
    if (Math.abs(entropy - wanted) < 1e-5) return;
    if (entropy > wanted) {
      low = beta;
      beta = high === Infinity ? 2 * beta : (beta + high) / 2;
    } else {
      high = beta;
      beta = (low + beta) / 2;
    }
  }
}

/**
 * How much more often a point's neighbors from other samples are of its own condition than by chance: 1 if conditions make no
 * difference beyond that between samples. Null where no sample has another one of its condition and one of another.
 */
export function ownCondition(
  { k, indices }: Neighbors,
  sampleOf: ArrayLike<number>,
  conditions: readonly string[],
): number | null {
  const sizes = new Float64Array(conditions.length);
  for (let i = 0; i < sampleOf.length; i++) sizes[sampleOf[i]]++;
  const byChance = conditions.map((own, s) => {
    let [same, all] = [0, 0];
    conditions.forEach((other, o) => {
      if (o === s) return;
      all += sizes[o];
      if (other === own) same += sizes[o];
    });
    return same > 0 && same < all ? same / all : null;
  });
  let [found, expected] = [0, 0];
  for (let i = 0; i < sampleOf.length; i++) {
    const own = sampleOf[i];
    const chance = byChance[own];
    if (chance === null) continue;
    for (let j = 0; j < k; j++) {
      const other = sampleOf[indices[i * k + j]];
      if (other === own) continue;
      expected += chance;
      if (conditions[other] === conditions[own]) found++;
    }
  }
  return byChance.some((chance) => chance !== null) ? (expected > 0 ? found / expected : 1) : null;
}
