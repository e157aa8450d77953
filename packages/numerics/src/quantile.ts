/**
 * Quantile of ascending values by linear interpolation (type 7 of Hyndman & Fan 1996, the numpy and R default); NaN if
 * empty.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

/** Median of the finite values; NaN when there is none. */
export function median(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
