import { selectValue } from "@stipple/numerics/select-value";

/** Median of the finite values of all cells or of those in `cells`; null if there are none. O(cells) on average. */
export function median(values: Float32Array, cells?: Uint32Array): number | null {
  const chosen = cells ? Float32Array.from(cells, (cell) => values[cell]!) : values;
  const finite = chosen.filter(Number.isFinite);
  const middle = finite.length >> 1;
  if (finite.length === 0) return null;
  const upper = selectValue(finite, middle);
  if (finite.length % 2 === 1) return upper;
  // Everything before the upper middle is at most equal to it.
  const lower = finite.subarray(0, middle).reduce((most, value) => Math.max(most, value));
  return (lower + upper) / 2;
}

/** Number of finite values in `cells`. */
export function countOfNumbers(values: Float32Array, cells: Uint32Array): number {
  let known = 0;
  for (const cell of cells) if (Number.isFinite(values[cell]!)) known += 1;
  return known;
}
