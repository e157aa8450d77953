import type { Shape } from "../geometry/shape.ts";

/** A copy of a shape whose corners, counted through all rings, can be changed. */
export function editedShape(given: Shape) {
  const polygons = given.map((rings) => rings.map((ring) => [...ring]));
  const all = () => polygons.flat();
  /** The ring of a corner, and the place of its x there. */
  const placeOf = (corner: number): [number[], number] => {
    let at = 2 * corner;
    for (const ring of all()) {
      if (at < ring.length) return [ring, at];
      at -= ring.length;
    }
    throw new RangeError(`The shape has no corner ${corner}.`);
  };
  return {
    shape: (): Shape => polygons.map((rings) => rings.map((ring) => Float64Array.from(ring))),
    rings: () => all().map((ring) => Float64Array.from(ring)),
    /** x and y of every corner. */
    corners: () => Float64Array.from(all().flat()),
    corner(at: number): [number, number] {
      const [ring, x] = placeOf(at);
      return [ring[x]!, ring[x + 1]!];
    },
    /** The corner after (1) or before (−1) another one. */
    next(at: number, step: number): number {
      const count = all().flat().length / 2;
      return at < 0 ? 0 : (at + step + count) % count;
    },
    /** The nearest corner within a distance, or −1. */
    nearestCorner(x: number, y: number, within: number): number {
      let best = within;
      let found = -1;
      all()
        .flat()
        .forEach((value, at, values) => {
          if (at % 2 === 1) return;
          const away = Math.hypot(value - x, values[at + 1]! - y);
          if (away <= best) [best, found] = [away, at / 2];
        });
      return found;
    },
    /** Sets a corner on the nearest edge within a distance, and says which it is; −1 if there is no such edge. */
    splitEdge(x: number, y: number, within: number): number {
      let best = within;
      let found: { ring: number[]; at: number; corner: number } | undefined;
      let before = 0;
      for (const ring of all()) {
        for (let at = 0; at < ring.length; at += 2) {
          const away = toEdge(ring, at, x, y);
          if (away > best) continue;
          best = away;
          found = { ring, at: at + 2, corner: (before + at) / 2 + 1 };
        }
        before += ring.length;
      }
      found?.ring.splice(found.at, 0, x, y);
      return found?.corner ?? -1;
    },
    move(corner: number, x: number, y: number): void {
      const [ring, at] = placeOf(corner);
      [ring[at], ring[at + 1]] = [x, y];
    },
    /** False if its ring has no corner to spare. */
    remove(corner: number): boolean {
      const [ring, at] = placeOf(corner);
      if (ring.length <= 6) return false;
      ring.splice(at, 2);
      return true;
    },
  };
}

/** Distance from a point to the edge that begins at `at`. */
function toEdge(ring: readonly number[], at: number, x: number, y: number): number {
  const next = (at + 2) % ring.length;
  const [ax, ay] = [ring[at]!, ring[at + 1]!];
  const [dx, dy] = [ring[next]! - ax, ring[next + 1]! - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
