/** Points per leaf: below it, going through them is quicker than descending further. */
const LEAF = 8;

/** Points in the plane, for finding the nearest. */
export interface PointTree {
  /** Distance to the nearest point; Infinity without points. O(log n) on average, wherever the points lie. */
  distance(x: number, y: number): number;
}

/**
 * A k-d tree: halves of the points in turn by x and y. O(n log n) to build.
 * @param points x and y alternating
 */
export function pointTree(points: Float32Array | Float64Array): PointTree {
  const sorted = points.slice();
  const n = sorted.length / 2;
  const build = (from: number, to: number, axis: number): void => {
    if (to - from <= LEAF) return;
    const half = (from + to) >> 1;
    selectPoint(sorted, from, to - 1, half, axis);
    build(from, half, 1 - axis);
    build(half + 1, to, 1 - axis);
  };
  build(0, n, 0);

  let best = Infinity;
  /** `offX`, `offY`: how far the query lies outside of the part's box. */
  const visit = (
    from: number,
    to: number,
    axis: number,
    x: number,
    y: number,
    offX: number,
    offY: number,
  ): void => {
    if (to - from <= LEAF) {
      for (let p = from; p < to; p++) measure(p, x, y);
      return;
    }
    const half = (from + to) >> 1;
    measure(half, x, y);
    const off = (axis === 0 ? x : y) - sorted[2 * half + axis]!;
    const isFirst = off < 0;
    const next = 1 - axis;
    visit(isFirst ? from : half + 1, isFirst ? half : to, next, x, y, offX, offY);
    const [thenX, thenY] = axis === 0 ? [off, offY] : [offX, off];
    if (thenX * thenX + thenY * thenY >= best) return;
    visit(isFirst ? half + 1 : from, isFirst ? to : half, next, x, y, thenX, thenY);
  };
  const measure = (p: number, x: number, y: number): void => {
    const [dx, dy] = [sorted[2 * p]! - x, sorted[2 * p + 1]! - y];
    const square = dx * dx + dy * dy;
    if (square < best) best = square;
  };
  return {
    distance(x, y) {
      best = Infinity;
      visit(0, n, 0, x, y, 0, 0);
      return Math.sqrt(best);
    },
  };
}

/** Reorders points so that the one at `place` is where sorting along an axis would put it (Hoare 1961). */
function selectPoint(
  points: Float32Array | Float64Array,
  from: number,
  to: number,
  place: number,
  axis: number,
): void {
  let [low, high] = [from, to];
  while (low < high) {
    const pivot = points[2 * ((low + high) >> 1) + axis]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (points[2 * i + axis]! < pivot) i++;
      while (points[2 * j + axis]! > pivot) j--;
      if (i > j) break;
      swap(points, i++, j--);
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
}

function swap(points: Float32Array | Float64Array, a: number, b: number): void {
  for (let k = 0; k < 2; k++) {
    const held = points[2 * a + k]!;
    points[2 * a + k] = points[2 * b + k]!;
    points[2 * b + k] = held;
  }
}
