import { clippedRing } from "./clipped-ring.ts";

/**
 * Signed area of the overlap of a disc around the origin with the triangle (origin, a, b): summed over the edges of a
 * closed ring, it is the exact area of ring ∩ disc.
 */
function wedge(ax: number, ay: number, bx: number, by: number, radius: number): number {
  const r2 = radius * radius;
  const dx = bx - ax;
  const dy = by - ay;
  const sector = (px: number, py: number, qx: number, qy: number): number =>
    (r2 / 2) * Math.atan2(px * qy - py * qx, px * qx + py * qy);
  const length2 = dx * dx + dy * dy;
  if (length2 === 0) return 0;
  // Where the edge a + t·(b − a) meets the circle.
  const half = -(ax * dx + ay * dy) / length2;
  const root = half * half - (ax * ax + ay * ay - r2) / length2;
  if (root <= 0) return sector(ax, ay, bx, by);
  const from = half - Math.sqrt(root);
  const to = half + Math.sqrt(root);
  if (from >= 1 || to <= 0) return sector(ax, ay, bx, by);
  const enter = Math.max(0, from);
  const leave = Math.min(1, to);
  const ex = ax + enter * dx;
  const ey = ay + enter * dy;
  const lx = ax + leave * dx;
  const ly = ay + leave * dy;
  let area = (ex * ly - ey * lx) / 2;
  if (enter > 0) area += sector(ax, ay, ex, ey);
  if (leave < 1) area += sector(lx, ly, bx, by);
  return area;
}

/** Share of the squared radius below which an area is a rounding error: sectors that cancel leave up to 1e-15. */
const ROUNDING = 1e-12;

/**
 * Area of a simple polygon inside a disc, in closed form; exactly 0 if they do not overlap. Points `from` ≤ p < `to` of
 * `xy` (x0, y0, x1, y1, …), closed. O(points).
 */
export function polygonDiscArea(
  xy: ArrayLike<number>,
  from: number,
  to: number,
  centerX: number,
  centerY: number,
  radius: number,
): number {
  let area = 0;
  for (let p = from, q = to - 1; p < to; q = p++) {
    area += wedge(
      xy[2 * q] - centerX,
      xy[2 * q + 1] - centerY,
      xy[2 * p] - centerX,
      xy[2 * p + 1] - centerY,
      radius,
    );
  }
  return Math.abs(area) < ROUNDING * radius * radius ? 0 : Math.abs(area);
}

/**
 * Area of a simple polygon inside an axis-aligned square: clipped at the four sides (Sutherland & Hodgman 1974), which
 * gives the right signed area for concave polygons too. O(points).
 */
export function polygonSquareArea(
  xy: ArrayLike<number>,
  from: number,
  to: number,
  centerX: number,
  centerY: number,
  side: number,
): number {
  let ring: number[] = [];
  for (let p = from; p < to; p++) ring.push(xy[2 * p] - centerX, xy[2 * p + 1] - centerY);
  const half = side / 2;
  ring = clippedRing(ring, 0, 1, half);
  ring = clippedRing(ring, 0, -1, half);
  ring = clippedRing(ring, 1, 1, half);
  ring = clippedRing(ring, 1, -1, half);
  let twice = 0;
  for (let p = 0, q = ring.length - 2; p < ring.length; q = p, p += 2) {
    twice += ring[q] * ring[p + 1] - ring[p] * ring[q + 1];
  }
  return Math.abs(twice) / 2;
}
