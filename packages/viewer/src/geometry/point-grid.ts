/** Rectangle in the points' units. */
export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Spatial index of points. */
export interface PointGrid {
  bounds: Box;
  /** Index of the accepted point nearest to (x, y) within `reach`, or −1. */
  nearest(x: number, y: number, reach: number, accept: (point: number) => boolean): number;
  /** Visits the points inside `box`. */
  each(box: Box, visit: (point: number) => void): void;
  /** Indices of the points inside `box`, at most `limit` + 1 (to distinguish more from exactly `limit`). */
  inside(box: Box, limit: number): Uint32Array;
  /** How many accepted points are inside `box`. */
  count(box: Box, accept: (point: number) => boolean): number;
}

const POINTS_PER_FIELD = 4;

/** Sorts points (x, y pairs) into square bins by counting sort. O(n) time, 4 bytes per point. */
export function pointGrid(xy: Float32Array): PointGrid {
  const n = xy.length / 2;
  const bounds = boundsOf(xy);
  const width = Math.max(1e-6, bounds.maxX - bounds.minX);
  const height = Math.max(1e-6, bounds.maxY - bounds.minY);
  const size = Math.max(
    Math.sqrt((width * height * POINTS_PER_FIELD) / Math.max(1, n)),
    width / 4096,
    height / 4096,
  );
  const columns = Math.floor(width / size) + 1;
  const rows = Math.floor(height / size) + 1;
  const column = (x: number) =>
    Math.min(columns - 1, Math.max(0, Math.floor((x - bounds.minX) / size)));
  const row = (y: number) => Math.min(rows - 1, Math.max(0, Math.floor((y - bounds.minY) / size)));

  const starts = new Uint32Array(columns * rows + 1);
  const fieldOf = (point: number) => row(xy[2 * point + 1]!) * columns + column(xy[2 * point]!);
  for (let point = 0; point < n; point++) starts[fieldOf(point) + 1]! += 1;
  for (let field = 0; field < columns * rows; field++) starts[field + 1]! += starts[field]!;
  const next = starts.slice();
  const order = new Uint32Array(n);
  for (let point = 0; point < n; point++) order[next[fieldOf(point)]!++] = point;

  /** Visits the points in a rectangle until `visit` returns false. */
  function forEachInside({ minX, minY, maxX, maxY }: Box, visit: (point: number) => boolean): void {
    for (let r = row(minY); r <= row(maxY); r++) {
      const to = starts[r * columns + column(maxX) + 1]!;
      for (let at = starts[r * columns + column(minX)]!; at < to; at++) {
        const point = order[at]!;
        const x = xy[2 * point]!;
        const y = xy[2 * point + 1]!;
        if (x < minX || x > maxX || y < minY || y > maxY) continue;
        if (!visit(point)) return;
      }
    }
  }

  return {
    bounds,
    nearest(x, y, reach, accept) {
      let best = -1;
      let bestSquare = reach * reach;
      for (let r = row(y - reach); r <= row(y + reach); r++) {
        const from = starts[r * columns + column(x - reach)]!;
        const to = starts[r * columns + column(x + reach) + 1]!;
        for (let at = from; at < to; at++) {
          const point = order[at]!;
          const square = (xy[2 * point]! - x) ** 2 + (xy[2 * point + 1]! - y) ** 2;
          if (square <= bestSquare && accept(point)) {
            best = point;
            bestSquare = square;
          }
        }
      }
      return best;
    },
    each(box, visit) {
      forEachInside(box, (point) => {
        visit(point);
        return true;
      });
    },
    count(box, accept) {
      let found = 0;
      forEachInside(box, (point) => {
        if (accept(point)) found += 1;
        return true;
      });
      return found;
    },
    inside(box, limit) {
      const found: number[] = [];
      forEachInside(box, (point) => found.push(point) <= limit);
      return Uint32Array.from(found);
    },
  };
}

/** Bounding box of the points; a unit square if there are none. */
export function boundsOf(xy: ArrayLike<number>): Box {
  let minX = Infinity;
  let minY = Infinity;
  let maxX = -Infinity;
  let maxY = -Infinity;
  for (let at = 0; at < xy.length; at += 2) {
    const x = xy[at]!;
    const y = xy[at + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  return minX <= maxX && minY <= maxY
    ? { minX, minY, maxX, maxY }
    : { minX: 0, minY: 0, maxX: 1, maxY: 1 };
}
