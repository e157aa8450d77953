/** The values between which the colour scale runs, and how many cells have any. */
export interface ExpressionRange {
  low: number;
  high: number;
  /** Cells with a value above 0. */
  expressing: number;
}

/**
 * Colour scale for one gene: from 0 to the `upper` quantile of the values above zero, so that a few extreme cells do not
 * leave the rest dark. Values that are not finite do not count. O(n log n) in the cells that express it.
 */
export function expressionRange(values: Float32Array, upper = 0.99): ExpressionRange {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value)).sort();
  if (positive.length === 0) return { low: 0, high: 1, expressing: 0 };
  const at = Math.min(positive.length - 1, Math.ceil(upper * positive.length) - 1);
  return { low: 0, high: positive[Math.max(0, at)]!, expressing: positive.length };
}
