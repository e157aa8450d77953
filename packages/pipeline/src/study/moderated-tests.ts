import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { leastSquares, type LeastSquares } from "@stipple/numerics/least-squares";
import { studentQuantile, studentTwoSided } from "@stipple/numerics/student-tail";
import type { ComparisonDesign } from "./design.ts";
import { moderated, variancePrior } from "./moderate-variances.ts";

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
 * eBayes gives them. `nUnits` observations went into each.
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
