/** Short enough that the function is called often, long enough that the calls cost nothing. */
const STRETCH = 2048;

/**
 * Calls `go` for consecutive stretches of 0 … n − 1. V8 discards the compiled code of a function that runs once per
 * tile, however long it takes, and recompiles it for the next tile; a function that is called hundreds of times per
 * tile (per stretch or per row) stays compiled.
 */
export function inStretches(n: number, go: (from: number, to: number) => void): void {
  for (let from = 0; from < n; from += STRETCH) go(from, Math.min(n, from + STRETCH));
}
