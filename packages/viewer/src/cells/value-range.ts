/** Limits of a color scale, and the number of cells with a positive value. */
export interface ValueRange {
  low: number;
  high: number;
  /** Cells with a value above 0. */
  expressing: number;
}

/** Quantiles are computed from at most this many values, and at least half as many if available. */
const MAX_SORTED = 50_000;

/**
 * Color scale between two quantiles of the values, so that a few extreme cells do not leave the rest dark. `aboveZero`:
 * uses the quantiles of the positive values, with the scale starting at 0 if the lower quantile is 0, as suits
 * expression; otherwise of all values. Non-finite values are ignored. For more than 50,000 values, an evenly spaced
 * sample is sorted. O(n).
 */
export function valueRange(
  values: Float32Array,
  [lower, upper]: readonly [number, number],
  aboveZero: boolean,
): ValueRange {
  const counting = { sample: new Float32Array(MAX_SORTED), filled: 0, expressing: 0 };
  take(values, aboveZero, counting);
  const { filled, expressing } = counting;
  if (filled === 0) return { low: 0, high: 1, expressing };
  const sample = counting.sample.subarray(0, filled).sort();
  const at = (quantile: number): number =>
    sample[Math.min(sample.length - 1, Math.max(0, Math.ceil(quantile * sample.length) - 1))]!;
  const low = aboveZero && lower === 0 ? 0 : at(lower);
  const high = at(upper);
  return { low, high: high > low ? high : low + (Math.abs(low) || 1) * 1e-6, expressing };
}

/** The scale of the values of several sections together, as `valueRange` makes it; every cell counts once. O(values). */
export function commonRange(
  sections: readonly Float32Array[],
  quantiles: readonly [number, number],
): ValueRange {
  const all = new Float32Array(sections.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const values of sections) {
    all.set(values, at);
    at += values.length;
  }
  return valueRange(all, quantiles, true);
}

/**
 * One pass over the values that counts them and samples every one, every second, every fourth, … so that the sample
 * fits its buffer. The loop uses indices because `for … of` takes ten times as long, and this pass delays the new
 * colors after a click.
 */
function take(
  values: Float32Array,
  aboveZero: boolean,
  found: { sample: Float32Array; filled: number; expressing: number },
): void {
  const { sample } = found;
  let [filled, expressing, stride, skip] = [0, 0, 1, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    const isExpressing = value > 0 && value < Infinity;
    if (isExpressing) expressing += 1;
    if (aboveZero ? !isExpressing : value - value !== 0) continue;
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    if (filled === sample.length) {
      filled >>= 1;
      for (let kept = 0; kept < filled; kept++) sample[kept] = sample[2 * kept]!;
      stride *= 2;
    }
    sample[filled++] = value;
    skip = stride - 1;
  }
  found.filled = filled;
  found.expressing = expressing;
}
