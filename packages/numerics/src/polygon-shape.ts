/** Signed area of a closed ring (x0, y0, x1, y1, …): positive when it runs clockwise on a screen (y down). */
export function signedArea(ring: ArrayLike<number>): number {
  let twice = 0;
  const n = ring.length / 2;
  for (let i = 0, j = n - 1; i < n; j = i++) {
    twice += ring[2 * j]! * ring[2 * i + 1]! - ring[2 * i]! * ring[2 * j + 1]!;
  }
  return twice / 2;
}

/** Length of a closed ring (x0, y0, x1, y1, …), including the edge from the last point to the first. O(n). */
export function ringLength(ring: ArrayLike<number>): number {
  let sum = 0;
  const n = ring.length / 2;
  for (let i = 0, j = n - 1; i < n; j = i++) {
    sum += Math.hypot(ring[2 * i]! - ring[2 * j]!, ring[2 * i + 1]! - ring[2 * j + 1]!);
  }
  return sum;
}

/** Area of the convex hull of a ring's points (Andrew's monotone chain). O(n log n). */
export function hullArea(ring: ArrayLike<number>): number {
  const points = Array.from({ length: ring.length / 2 }, (_, i) => i).sort(
    (a, b) => ring[2 * a]! - ring[2 * b]! || ring[2 * a + 1]! - ring[2 * b + 1]!,
  );
  const turn = (a: number, b: number, c: number): number =>
    (ring[2 * b]! - ring[2 * a]!) * (ring[2 * c + 1]! - ring[2 * a + 1]!) -
    (ring[2 * b + 1]! - ring[2 * a + 1]!) * (ring[2 * c]! - ring[2 * a]!);
  const half = (order: number[]): number[] => {
    const chain: number[] = [];
    for (const p of order) {
      while (chain.length > 1 && turn(chain[chain.length - 2]!, chain[chain.length - 1]!, p) <= 0) {
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  const hull = [...half(points), ...half(points.reverse())];
  return Math.abs(signedArea(hull.flatMap((p) => [ring[2 * p]!, ring[2 * p + 1]!])));
}
