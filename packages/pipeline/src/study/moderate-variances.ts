import { digamma, inverseTrigamma, trigamma } from "@stipple/numerics/gamma-derivatives";

/** What genes have in common: the variance that they scatter around, and how many degrees of freedom it is worth. */
export interface VariancePrior {
  variance: number;
  degrees: number;
}

/**
 * The prior of variances with `degrees` degrees of freedom each: moments of their logarithms (Smyth 2004). Infinite degrees
 * where they scatter no more than by chance.
 */
export function variancePrior(variances: Float64Array, degrees: number): VariancePrior {
  const n = variances.length;
  if (n < 2) return { variance: variances[0] ?? NaN, degrees: 0 };
  const sorted = variances.toSorted();
  const median = (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2 || 1;
  const offset = Math.log(degrees / 2) - digamma(degrees / 2);
  const positive = variances.map((variance) => Math.max(variance, 1e-5 * median));
  const logs = positive.map((variance) => Math.log(variance) + offset);
  const mean = logs.reduce((sum, log) => sum + log, 0) / n;
  const spread = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (n - 1);
  const excess = spread - trigamma(degrees / 2);
  if (excess <= 0) {
    const variance = positive.reduce((sum, one) => sum + one, 0) / n;
    return { variance, degrees: Infinity };
  }
  const prior = 2 * inverseTrigamma(excess);
  return { variance: Math.exp(mean + digamma(prior / 2) - Math.log(prior / 2)), degrees: prior };
}

/** A gene's variance, drawn toward the prior. */
export function moderated(variance: number, degrees: number, prior: VariancePrior): number {
  if (prior.degrees === Infinity) return prior.variance;
  return (degrees * variance + prior.degrees * prior.variance) / (degrees + prior.degrees);
}
