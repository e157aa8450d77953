/**
 * How a drawing lies on the screen: x on the screen = a·x + b·y, y (down) = d·x + e·y of the drawing. It turns and may
 * mirror, but never stretches: the inverse is [a, d, b, e].
 */
export type Turn = readonly [a: number, b: number, d: number, e: number];

export const UPRIGHT: Turn = [1, 0, 0, 1];

export function turned([a, b, d, e]: Turn, x: number, y: number): [number, number] {
  return [a * x + b * y, d * x + e * y];
}

export function turnedBack([a, b, d, e]: Turn, x: number, y: number): [number, number] {
  return [a * x + d * y, b * x + e * y];
}

/** The turn nearest to a linear map x' = a·x + b·y, y' = d·x + e·y. */
export function nearestTurn([a, b, d, e]: Turn): Turn {
  const side = a * e - b * d < 0 ? -1 : 1;
  const [cos, sin] = [a + side * e, d - side * b];
  const size = Math.hypot(cos, sin);
  return [cos / size, (-side * sin) / size, sin / size, (side * cos) / size];
}

/** The angle of a direction in the drawing on the screen, radians from x toward y (down). */
export function turnedAngle(turn: Turn, angle: number): number {
  const [x, y] = turned(turn, Math.cos(angle), Math.sin(angle));
  return Math.atan2(y, x);
}
