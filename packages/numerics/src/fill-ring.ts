/** Visits the pixels whose center lies inside a ring (even–odd rule); returns how many `take` accepted. */
export function fillRing(
  ring: ArrayLike<number>,
  width: number,
  height: number,
  take: (pixel: number) => unknown,
): number {
  let taken = 0;
  ringSpans(ring, width, height, (from, to) => {
    for (let pixel = from; pixel < to; pixel++) if (take(pixel)) taken++;
  });
  return taken;
}

/** Where a row crosses a ring's edges. Reused: allocating one per row would produce most of the garbage. */
let crossings = new Float64Array(64);

/** A ring's pixels as runs within rows: `visit` gets the first pixel and the one after the last. */
export function ringSpans(
  ring: ArrayLike<number>,
  width: number,
  height: number,
  visit: (from: number, to: number) => void,
): void {
  const n = ring.length / 2;
  if (crossings.length < n) crossings = new Float64Array(2 * n);
  let [top, bottom] = [height, 0];
  for (let i = 0; i < n; i++) {
    top = Math.min(top, Math.floor(ring[2 * i + 1]));
    bottom = Math.max(bottom, Math.ceil(ring[2 * i + 1]));
  }
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    const crossed = crossRow(ring, n, y + 0.5);
    for (let k = 0; k + 1 < crossed; k += 2) {
      const first = Math.max(0, Math.ceil(crossings[k] - 0.5));
      const last = Math.min(width - 1, Math.ceil(crossings[k + 1] - 0.5) - 1);
      if (first <= last) visit(y * width + first, y * width + last + 1);
    }
  }
}

/**
 * Writes the x where the row at height `at` crosses the ring into `crossings`, ascending; returns the number of
 * crossings.
 */
function crossRow(ring: ArrayLike<number>, n: number, at: number): number {
  let crossed = 0;
  for (let i = 0, j = n - 1; i < n; j = i++) {
    const y0 = ring[2 * j + 1];
    const y1 = ring[2 * i + 1];
    if (y0 > at === y1 > at) continue;
    const x = ring[2 * j] + ((at - y0) / (y1 - y0)) * (ring[2 * i] - ring[2 * j]);
    // Insertion sort: there are few crossings, usually two, and a library sort would call a function for every pair.
    let place = crossed++;
    for (; place > 0 && crossings[place - 1] > x; place--) crossings[place] = crossings[place - 1];
    crossings[place] = x;
  }
  return crossed;
}
