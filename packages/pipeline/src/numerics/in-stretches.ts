/** Short enough that a function that goes through one is called often, long enough that the calls cost nothing. */
const STRETCH = 2048;

/**
 * Calls `go` for one stretch of 0 … n − 1 after the other. V8 drops what it has compiled of a function that runs once a tile,
 * however long, and compiles it anew for the next; a function that is called hundreds of times a tile, for a stretch or a row,
 * is kept (docs/decisions/0071-hot-loops-in-stretches.md).
 */
export function inStretches(n: number, go: (from: number, to: number) => void): void {
  for (let from = 0; from < n; from += STRETCH) go(from, Math.min(n, from + STRETCH));
}
