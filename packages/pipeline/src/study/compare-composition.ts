import { adjustForFalseDiscovery } from "@stipple/numerics/false-discovery";
import { leastSquares } from "@stipple/numerics/least-squares";
import { studentQuantile, studentTwoSided } from "@stipple/numerics/student-tail";
import type { ComparisonDesign } from "./design.ts";

/** A type's difference in share between the second and the first group of units. */
export interface ShareDifference {
  type: string;
  /** Mean share of all cells in each group. */
  shares: [number, number];
  /** Difference of the log odds, and its 95% interval; NaN where too few cells are expected. */
  logOdds: number;
  low: number;
  high: number;
  t: number;
  degrees: number;
  p: number;
  fdr: number;
}

/** A type is compared if its mean share makes as many cells in every unit, and as many of other types. */
export const MIN_EXPECTED_CELLS = 5;

/**
 * Compares each type's share of all cells between groups of units: a regression of the log odds on the design, so that
 * each unit counts once, whatever its number of cells. `cells[unit]` holds numbers of cells by type. With fewer than
 * {@link MIN_EXPECTED_CELLS} expected cells, log odds reflect how many cells a unit has, not how many are of the type.
 */
export function compareComposition(
  types: readonly string[],
  cells: readonly (readonly number[])[],
  { columns, condition }: ComparisonDesign,
): ShareDifference[] {
  const totals = cells.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const degrees = cells.length - columns.length;
  const reach = studentQuantile(0.05, degrees);
  const least = MIN_EXPECTED_CELLS / Math.min(...totals);
  const rows = types.map((type, at) => {
    const share = cells.reduce((sum, counts, i) => sum + counts[at] / totals[i], 0) / cells.length;
    const isExpected = Math.min(share, 1 - share) >= least;
    const odds = cells.map((counts, i) =>
      isExpected ? Math.log((counts[at] + 0.5) / (totals[i] - counts[at] + 0.5)) : NaN,
    );
    const { coefficients, unscaled, residual } = leastSquares(columns, odds);
    const logOdds = coefficients[condition];
    // An exact fit, as of copies of a sample, does not show how much units differ.
    const error = residual > 0 ? unscaled[condition] * Math.sqrt(residual / degrees) : NaN;
    const t = logOdds / error;
    return {
      ...{ type, shares: meanShares(cells, totals, at, columns[condition]), logOdds },
      ...{ low: logOdds - reach * error, high: logOdds + reach * error },
      ...{ t, degrees, p: studentTwoSided(t, degrees) },
    };
  });
  const fdr = adjustForFalseDiscovery(rows.map(({ p }) => p));
  return rows.map((row, i) => ({ ...row, fdr: fdr[i] }));
}

function meanShares(
  cells: readonly (readonly number[])[],
  totals: readonly number[],
  type: number,
  isSecond: ArrayLike<number>,
): [number, number] {
  const mean = (group: number): number => {
    const shares = cells.flatMap((counts, i) =>
      isSecond[i] === group ? [counts[type] / totals[i]] : [],
    );
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
  };
  return [mean(0), mean(1)];
}
