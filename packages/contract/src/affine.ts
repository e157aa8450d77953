/** x' = a·x + b·y + c and y' = d·x + e·y + f. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export function moved([a, b, c, d, e, f]: Affine, x: number, y: number): [number, number] {
  return [a * x + b * y + c, d * x + e * y + f];
}

/** Factor by which areas grow; negative if the map mirrors. */
export function determinant([a, b, , d, e]: Affine): number {
  return a * e - b * d;
}

/**
 * The affine map that brings points closest to others, by least squares; null if they lie on a line, would be brought to
 * one, or are fewer than three. O(points).
 * @param from x and y alternating
 * @param to where each of them belongs
 */
export function fitAffine(from: ArrayLike<number>, to: ArrayLike<number>): Affine | null {
  const n = from.length / 2;
  if (n < 3) return null;
  // Around the means, so that large coordinates lose no digits.
  const [mx, my, mu, mv] = [mean(from, 0), mean(from, 1), mean(to, 0), mean(to, 1)];
  let [xx, xy, yy, xu, yu, xv, yv] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [x, y] = [from[2 * i]! - mx, from[2 * i + 1]! - my];
    const [u, v] = [to[2 * i]! - mu, to[2 * i + 1]! - mv];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xu += x * u;
    yu += y * u;
    xv += x * v;
    yv += y * v;
  }
  const det = xx * yy - xy * xy;
  if (det <= 1e-9 * (xx + yy) ** 2) return null;
  const [a, b] = [(xu * yy - yu * xy) / det, (yu * xx - xu * xy) / det];
  const [d, e] = [(xv * yy - yv * xy) / det, (yv * xx - xv * xy) / det];
  const map = [a, b, mu - a * mx - b * my, d, e, mv - d * mx - e * my] as const;
  return Math.abs(determinant(map)) > 1e-6 * (a * a + b * b + d * d + e * e) ? map : null;
}

/** From so many landmarks on, an affine map of sections errs less than one that only turns and scales. */
const MIN_AFFINE = 12;

/**
 * How landmarks place a section on another one: few of them turn (or mirror), scale, and shift it, because an affine map
 * through them errs far from them; many are fitted by one. Null where `fitAffine` is. O(points).
 */
export function fitSection(from: ArrayLike<number>, to: ArrayLike<number>): Affine | null {
  const affine = fitAffine(from, to);
  const n = from.length / 2;
  if (affine === null || n >= MIN_AFFINE) return affine;
  const side = determinant(affine) < 0 ? -1 : 1;
  const [mx, my] = [0, 1].map((axis) => mean(from, axis)) as [number, number];
  const [mu, mv] = [0, 1].map((axis) => mean(to, axis)) as [number, number];
  let [size, along, across] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [x, y] = [from[2 * i]! - mx, side * (from[2 * i + 1]! - my)];
    const [u, v] = [to[2 * i]! - mu, to[2 * i + 1]! - mv];
    size += x * x + y * y;
    along += x * u + y * v;
    across += x * v - y * u;
  }
  const [a, d] = [along / size, across / size];
  const [b, e] = [-side * d, side * a];
  return [a, b, mu - a * mx - b * my, d, e, mv - d * mx - e * my];
}

/** Of x (axis 0) or y of points. */
function mean(xy: ArrayLike<number>, axis: number): number {
  let sum = 0;
  for (let i = axis; i < xy.length; i += 2) sum += xy[i]!;
  return (2 * sum) / xy.length;
}

/** Root-mean-square distance of moved points from where they belong. */
export function residual(map: Affine, from: ArrayLike<number>, to: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < from.length; i += 2) {
    const [x, y] = moved(map, from[i]!, from[i + 1]!);
    sum += (x - to[i]!) ** 2 + (y - to[i + 1]!) ** 2;
  }
  return Math.sqrt((2 * sum) / from.length);
}
