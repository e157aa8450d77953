import type { VerdictGrade } from "@stipple/contract";
import type { Judgment } from "../judged-tissues/judge.ts";
import type { Correlations } from "../judged-tissues/worth.ts";

/** Minimum for "good": share of the distance to the true types, and share of right names. */
const GOOD_WAY = 0.5;
const GOOD_NAMES = 0.75;
/** Below these values, a result is "poor". */
const POOR_WAY = 0.2;
const POOR_NAMES = 0.5;

/**
 * Fraction of the distance from interpolation between spots (0) to the mean of each cell's true type (1) covered by the
 * rates. The latter is what knowing only all cells' types would give. Where bins are more informative about cells than
 * types, rates that are at least as informative cover the whole distance.
 */
export function wayToTypes({ rate, interpolation, trueType }: Correlations): number {
  if (trueType > interpolation) return (rate - interpolation) / (trueType - interpolation);
  return rate >= interpolation ? 1 : 0;
}

/** Share of right names among named cells that match a true cell; null if there are none. */
export function rightNames({ names }: Judgment): number | null {
  const judged = names.filter(({ given }) => given);
  return judged.length === 0 ? null : judged.filter(({ right }) => right).length / judged.length;
}

/** The grade according to the ground truth. */
export function deserved(judgment: Judgment): VerdictGrade {
  const { reliable, judged } = judgment.worth;
  const names = rightNames(judgment) ?? 0;
  if (judged === null || wayToTypes(judged) < POOR_WAY || names < POOR_NAMES) return "poor";
  return reliable !== null && wayToTypes(reliable) >= GOOD_WAY && names >= GOOD_NAMES
    ? "good"
    : "limited";
}

/** The rule in words, for the document. */
export const RULE = `A result deserves **good** if the rates of its reliable genes cover at least half the distance from interpolation between
spots to the mean of each cell's true type, and at least ${100 * GOOD_NAMES}% of the named cells have the right name; **poor** if the
rates of all judged genes cover less than a fifth of that distance, or fewer than half of the named cells have the right
name; and otherwise **limited**. (Per gene: Pearson correlation over all true cells with the rates that the counts were
drawn from, counting a missed cell as 0; then the median over genes. Where interpolation between bins says more than
types, as for measured cells, rates that say no less cover the whole distance.)`;
