/** The values between which a color scale runs, and how many cells have any. */
export interface ValueRange {
  low: number;
  high: number;
  /** Cells with a value above 0. */
  expressing: number;
}

/** Quantiles come from at most this many values. */
const MOST_SORTED = 25_000;

/**
 * Color scale between two quantiles of the values that count, so that a few extreme cells do not leave the rest dark.
 * `aboveZero`: quantiles are of the values above zero and the scale begins at 0 for the lower quantile 0, as suits
 * expression; otherwise of all values. Values that are not finite do not count. Above 25,000 values an even sample is
 * sorted. O(n).
 */
export function valueRange(
  values: Float32Array,
  [lower, upper]: readonly [number, number],
  aboveZero: boolean,
): ValueRange {
  // Loops over indices: `for … of` takes ten times as long here, and this stands between a click and the new colors.
  let expressing = 0;
  let finite = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value > 0 && value < Infinity) expressing += 1;
    if (value - value === 0) finite += 1;
  }
  const counting = aboveZero ? expressing : finite;
  if (counting === 0) return { low: 0, high: 1, expressing };
  const stride = Math.ceil(counting / MOST_SORTED);
  const sample = new Float32Array(Math.ceil(counting / stride));
  let next = 0;
  let skip = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (aboveZero ? !(value > 0 && value < Infinity) : value - value !== 0) continue;
    if (skip === 0) {
      sample[next++] = value;
      skip = stride;
    }
    skip -= 1;
  }
  sample.sort();
  const at = (quantile: number): number =>
    sample[Math.min(sample.length - 1, Math.max(0, Math.ceil(quantile * sample.length) - 1))]!;
  const low = aboveZero && lower === 0 ? 0 : at(lower);
  const high = at(upper);
  return { low, high: high > low ? high : low + (Math.abs(low) || 1) * 1e-6, expressing };
}
