/**
 * p-values adjusted by Benjamini & Hochberg (1995): the lowest false discovery rate at which each is still significant.
 * NaN stays NaN and does not count as a test. O(n log n).
 */
export function adjustForFalseDiscovery(p: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const adjusted = new Float64Array(p.length).fill(NaN);
  const order = Array.from({ length: p.length }, (_, i) => i)
    .filter((i) => !Number.isNaN(p[i]!))
    .sort((a, b) => p[a]! - p[b]!);
  let least = 1;
  for (let rank = order.length; rank > 0; rank--) {
    const i = order[rank - 1]!;
    least = Math.min(least, (p[i]! * order.length) / rank);
    adjusted[i] = least;
  }
  return adjusted;
}
