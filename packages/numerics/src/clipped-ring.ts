/** The part of a ring where sign · coordinate ≤ limit; axis 0 = x, 1 = y. */
export function clippedRing(
  ring: ArrayLike<number>,
  axis: 0 | 1,
  sign: 1 | -1,
  limit: number,
): number[] {
  const result: number[] = [];
  for (let p = 0, q = ring.length - 2; p < ring.length; q = p, p += 2) {
    const before = sign * ring[q + axis]! - limit;
    const here = sign * ring[p + axis]! - limit;
    if (before <= 0 !== here <= 0) {
      const t = before / (before - here);
      result.push(
        ring[q]! + t * (ring[p]! - ring[q]!),
        ring[q + 1]! + t * (ring[p + 1]! - ring[q + 1]!),
      );
    }
    if (here <= 0) result.push(ring[p]!, ring[p + 1]!);
  }
  return result;
}
