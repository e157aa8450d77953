/** 0 … n − 1 in consecutive ranges of `size`, the last of what is left. */
export function rangesOf(n: number, size: number): { from: number; to: number }[] {
  return Array.from({ length: Math.ceil(n / size) }, (_, i) => ({
    from: i * size,
    to: Math.min(n, (i + 1) * size),
  }));
}
