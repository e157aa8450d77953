/**
 * Indices of numbers grouped by value: those of value v are `places[starts[v]]` to `places[starts[v + 1] − 1]`,
 * ascending. Those of values below 0 are left out. O(n).
 */
export function placesByValue(
  values: ArrayLike<number>,
  nValues: number,
): { starts: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(nValues + 1);
  for (let i = 0; i < values.length; i++) if (values[i] >= 0) starts[values[i] + 1]++;
  for (let value = 0; value < nValues; value++) starts[value + 1] += starts[value];
  const next = starts.slice();
  const places = new Uint32Array(starts[nValues]);
  for (let i = 0; i < values.length; i++) if (values[i] >= 0) places[next[values[i]]++] = i;
  return { starts, places };
}
