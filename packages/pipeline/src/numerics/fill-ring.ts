/** Visits the pixels whose center lies inside a ring (even–odd); returns how many `take` accepted. */
export function fillRing(
  ring: ArrayLike<number>,
  width: number,
  height: number,
  take: (pixel: number) => unknown,
): number {
  const n = ring.length / 2;
  let [top, bottom] = [height, 0];
  for (let i = 0; i < n; i++) {
    top = Math.min(top, Math.floor(ring[2 * i + 1]));
    bottom = Math.max(bottom, Math.ceil(ring[2 * i + 1]));
  }
  let taken = 0;
  const crossings: number[] = [];
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    crossings.length = 0;
    const at = y + 0.5;
    for (let i = 0, j = n - 1; i < n; j = i++) {
      const [y0, y1] = [ring[2 * j + 1], ring[2 * i + 1]];
      if (y0 > at === y1 > at) continue;
      crossings.push(ring[2 * j] + ((at - y0) / (y1 - y0)) * (ring[2 * i] - ring[2 * j]));
    }
    sortFew(crossings);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const last = Math.min(width - 1, Math.ceil(crossings[k + 1] - 0.5) - 1);
      for (let x = Math.max(0, Math.ceil(crossings[k] - 0.5)); x <= last; x++) {
        if (take(y * width + x)) taken++;
      }
    }
  }
  return taken;
}

/** Few numbers, mostly two: a library's sort would call a function for every pair. */
function sortFew(values: number[]): void {
  for (let i = 1; i < values.length; i++) {
    const value = values[i];
    let at = i;
    for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}
