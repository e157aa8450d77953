import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { leastSquares, type LeastSquares } from "@stipple/numerics/least-squares";
import { studentQuantile, studentTwoSided } from "@stipple/numerics/student-tail";
import type { ComparisonDesign } from "./design.ts";
import { digamma, inverseTrigamma, trigamma } from "@stipple/numerics/gamma-derivatives";

/** The difference of one measure between the second and the first group of units. */
export interface Difference {
  difference: number;
  /** Its 95% interval. */
  low: number;
  high: number;
  t: number;
  p: number;
  fdr: number;
}

/**
 * Tests the condition in every fit with variances drawn toward what all have in common: moderated t statistics, as limma's
 * eBayes gives them; NaN where most fits are exact, as of copies of a sample. `nUnits` observations went into each.
 */
export function moderatedTests(
  fits: readonly LeastSquares[],
  nUnits: number,
  { columns, condition }: ComparisonDesign,
): Difference[] {
  const degrees = nUnits - columns.length;
  const variances = Float64Array.from(fits, ({ residual }) => residual / degrees);
  const prior = variancePrior(variances, degrees);
  const all = Math.min(degrees + prior.degrees, degrees * fits.length);
  const reach = studentQuantile(0.05, all);
  const rows = fits.map(({ coefficients, unscaled }, i) => {
    const error = unscaled[condition] * Math.sqrt(moderated(variances[i], degrees, prior));
    const difference = coefficients[condition];
    const t = difference / error;
    return {
      ...{ difference, low: difference - reach * error, high: difference + reach * error },
      ...{ t, p: studentTwoSided(t, all) },
    };
  });
  const fdr = adjustForFalseDiscovery(rows.map(({ p }) => p));
  return rows.map((row, i) => ({ ...row, fdr: fdr[i] }));
}

/** Compares measures between groups of units; `measures[measure]` holds a value for each unit. */
export function compareMeasures(
  measures: readonly ArrayLike<number>[],
  design: ComparisonDesign,
): Difference[] {
  const fits = measures.map((values) => leastSquares(design.columns, values));
  return moderatedTests(fits, design.units.length, design);
}

/** What genes have in common: the variance that they scatter around, and how many degrees of freedom it is worth. */
interface VariancePrior {
  variance: number;
  degrees: number;
}

/**
 * The prior of variances with `degrees` degrees of freedom each: moments of their logarithms (Smyth 2004). Infinite degrees
 * where they scatter no more than by chance.
 */
function variancePrior(variances: Float64Array, degrees: number): VariancePrior {
  const n = variances.length;
  const sorted = variances.toSorted();
  const median = (sorted[(n - 1) >> 1] + sorted[n >> 1]) / 2;
  if (median === 0) return { variance: NaN, degrees: 0 };
  if (n < 2) return { variance: variances[0] ?? NaN, degrees: 0 };
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
function moderated(variance: number, degrees: number, prior: VariancePrior): number {
  if (prior.degrees === Infinity) return prior.variance;
  return (degrees * variance + prior.degrees * prior.variance) / (degrees + prior.degrees);
}
