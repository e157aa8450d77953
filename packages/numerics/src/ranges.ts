/** Items `from` ≤ i < `to`. */
interface Range {
  from: number;
  to: number;
}

/** 0 … n − 1 in consecutive ranges of `size`, the last of what is left. */
export function rangesOf(n: number, size: number): Range[] {
  return Array.from({ length: Math.ceil(n / size) }, (_, i) => ({
    from: i * size,
    to: Math.min(n, (i + 1) * size),
  }));
}

/** Items with entries `starts[i]` ≤ k < `starts[i + 1]` in consecutive ranges of at most `most` entries, or of one item. */
export function* rangesWithin(starts: ArrayLike<number>, most: number): Generator<Range> {
  for (let from = 0, to = 0; from < starts.length - 1; from = to) {
    do to++;
    while (to < starts.length - 1 && starts[to + 1]! - starts[from]! <= most);
    yield { from, to };
  }
}
