/** Whether segments ab and cd cross or touch. */
function cross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const side = (px: number, py: number, qx: number, qy: number, rx: number, ry: number): number =>
    Math.sign((qx - px) * (ry - py) - (qy - py) * (rx - px));
  const s1 = side(ax, ay, bx, by, cx, cy);
  const s2 = side(ax, ay, bx, by, dx, dy);
  const s3 = side(cx, cy, dx, dy, ax, ay);
  const s4 = side(cx, cy, dx, dy, bx, by);
  if (s1 === 0 && s2 === 0) {
    // Collinear: they meet if their bounding boxes do.
    return (
      Math.min(ax, bx) <= Math.max(cx, dx) &&
      Math.min(cx, dx) <= Math.max(ax, bx) &&
      Math.min(ay, by) <= Math.max(cy, dy) &&
      Math.min(cy, dy) <= Math.max(ay, by)
    );
  }
  return s1 * s2 <= 0 && s3 * s4 <= 0;
}

/** Whether no edges of a closed ring (x0, y0, x1, y1, …) meet, except neighbors at their common point. O(points²). */
export function isSimpleRing(ring: ArrayLike<number>): boolean {
  const n = ring.length / 2;
  if (n < 3) return false;
  for (let i = 0; i < n; i++) {
    const i2 = (i + 1) % n;
    for (let j = i + 2; j < n; j++) {
      const j2 = (j + 1) % n;
      if (j2 === i) continue;
      if (
        cross(
          ring[2 * i],
          ring[2 * i + 1],
          ring[2 * i2],
          ring[2 * i2 + 1],
          ring[2 * j],
          ring[2 * j + 1],
          ring[2 * j2],
          ring[2 * j2 + 1],
        )
      ) {
        return false;
      }
    }
  }
  return true;
}

/**
 * Removes points of a closed simple ring that lie within `tolerance` of the line between those kept (Douglas & Peucker
 * 1973). Returns the ring unchanged if the result would cross itself or have fewer than three points.
 */
export function simplifyRing(ring: number[], tolerance: number): number[] {
  const n = ring.length / 2;
  if (n <= 4) return ring;
  // The first point and the one farthest from it split the ring into two open lines.
  let far = 0;
  let most = -1;
  for (let i = 1; i < n; i++) {
    const d = (ring[2 * i] - ring[0]) ** 2 + (ring[2 * i + 1] - ring[1]) ** 2;
    if (d > most) {
      most = d;
      far = i;
    }
  }
  const keep = new Uint8Array(n);
  keep[0] = 1;
  keep[far] = 1;
  const stack: [number, number][] = [
    [0, far],
    [far, n],
  ];
  for (let span = stack.pop(); span; span = stack.pop()) {
    const [from, to] = span;
    const ax = ring[2 * from];
    const ay = ring[2 * from + 1];
    const bx = ring[2 * (to % n)];
    const by = ring[2 * (to % n) + 1];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    let worst = tolerance;
    let at = -1;
    for (let i = from + 1; i < to; i++) {
      const d =
        Math.abs((bx - ax) * (ring[2 * i + 1] - ay) - (by - ay) * (ring[2 * i] - ax)) / length;
      if (d > worst) {
        worst = d;
        at = i;
      }
    }
    if (at < 0) continue;
    keep[at] = 1;
    stack.push([from, at], [at, to]);
  }
  const result: number[] = [];
  for (let i = 0; i < n; i++) if (keep[i]) result.push(ring[2 * i], ring[2 * i + 1]);
  return isSimpleRing(result) ? result : ring;
}
