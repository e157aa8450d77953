/** An undirected graph without loops: every edge stands with both of its nodes. */
export interface WeightedGraph {
  nNodes: number;
  /** Where the edges of each node begin, and where those of the last one end: nNodes + 1. */
  starts: Uint32Array;
  /** The other node of each edge. */
  targets: Uint32Array;
  weights: Float32Array;
}

/** Places of numbers by value: those of value v are `places[starts[v]]` to `places[starts[v + 1] − 1]`, ascending. O(n). */
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
