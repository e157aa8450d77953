/** An undirected graph without self-loops; every edge is stored for both of its nodes. */
export interface WeightedGraph {
  nNodes: number;
  /** Start of each node's edges, and end of the last node's: nNodes + 1. */
  starts: Uint32Array;
  /** The other node of each edge. */
  targets: Uint32Array;
  weights: Float32Array;
}

/**
 * Indices of numbers grouped by value: those of value v are `places[starts[v]]` to `places[starts[v + 1] − 1]`,
 * ascending. O(n).
 */
export function placesByValue(
  values: ArrayLike<number>,
  nValues: number,
): { starts: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(nValues + 1);
  for (let i = 0; i < values.length; i++) starts[values[i] + 1]++;
  for (let value = 0; value < nValues; value++) starts[value + 1] += starts[value];
  const next = starts.slice();
  const places = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) places[next[values[i]]++] = i;
  return { starts, places };
}
