/** Ranks from 0; equal values share the mean of theirs. O(n log n). */
export function meanRanks(values: ArrayLike<number>): Float64Array<ArrayBuffer> {
  const n = values.length;
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(n);
  for (let from = 0; from < n;) {
    let to = from + 1;
    while (to < n && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}
