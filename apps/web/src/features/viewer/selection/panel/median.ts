/**
 * Median of the finite values of all cells or of those in `cells`; null if there are none. Quickselect (Hoare 1961):
 * O(n) on average, one copy of the values.
 */
export function median(values: Float32Array, cells?: Uint32Array): number | null {
  const n = cells ? cells.length : values.length;
  const copy = new Float32Array(n);
  let known = 0;
  for (let at = 0; at < n; at++) {
    const value = values[cells ? cells[at]! : at]!;
    if (Number.isFinite(value)) copy[known++] = value;
  }
  if (known === 0) return null;
  const finite = copy.subarray(0, known);
  const upper = nth(finite, known >> 1);
  if (known % 2 === 1) return upper;
  // Everything before the upper middle is at most equal to it.
  let lower = -Infinity;
  for (let at = 0; at < known >> 1; at++) lower = Math.max(lower, finite[at]!);
  return (lower + upper) / 2;
}

/** Number of finite values in `cells`. */
export function countOfNumbers(values: Float32Array, cells: Uint32Array): number {
  let known = 0;
  for (const cell of cells) if (Number.isFinite(values[cell]!)) known += 1;
  return known;
}

/** The value at `rank` in sorted order; reorders the values in place so that no earlier one is larger. */
function nth(values: Float32Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let low = left;
    let high = right;
    while (low <= high) {
      while (values[low]! < pivot) low += 1;
      while (values[high]! > pivot) high -= 1;
      if (low > high) break;
      const swapped = values[low]!;
      values[low++] = values[high]!;
      values[high--] = swapped;
    }
    if (rank <= high) right = high;
    else if (rank >= low) left = low;
    else break;
  }
  return values[rank]!;
}
