/** The value that stands at `place` when all are sorted in ascending order; none may be negative or NaN. O(n). */
export function selectFloat(values: Float32Array<ArrayBuffer>, place: number): number {
  // Bits of floats that are not negative are in the floats' order: first the upper half of the bits, then the lower.
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const upper = new Uint32Array(1 << 16);
  for (const word of words) upper[word >>> 16]++;
  const [high, before] = placeIn(upper, place);
  const lower = new Uint32Array(1 << 16);
  for (const word of words) if (word >>> 16 === high) lower[word & 0xffff]++;
  const [low] = placeIn(lower, place - before);
  return new Float32Array(Uint32Array.of(high * 2 ** 16 + low).buffer)[0];
}

/** The bin in which a place lies, and how many come before it. */
function placeIn(counts: Uint32Array, place: number): [bin: number, before: number] {
  let before = 0;
  let bin = 0;
  while (before + counts[bin] <= place) before += counts[bin++];
  return [bin, before];
}
