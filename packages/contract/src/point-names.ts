/** A name next to its point in a plot, px. */
export interface PointName {
  text: string;
  x: number;
  /** Of its baseline. */
  y: number;
  anchor: "start" | "end";
}

/** Of names in 11 px: the width of a capital letter, the height of a line, and the distance from the point. */
const [LETTER, LINE, GAP] = [7.5, 11, 5];
/** How far a name may be above or below its point. */
const SHIFTS: readonly number[] = [0, 8, -8];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Anchor = PointName["anchor"];

/** Places that are taken by dots around points, px. */
export function dotsAt(points: readonly { x: number; y: number }[]): Box[] {
  return points.map(({ x, y }) => boxOf(x - 3, x + 3, y, 6));
}

/**
 * Places names next to their points, the first ones first. A name that would cover another, a dot, or the border, is
 * left out. O(n · taken).
 * @param room left and right border, and where the plot begins, below the title of its axis
 * @param taken {@link dotsAt}; what is placed is added
 */
export function namesBeside<Point extends { text: string; x: number; y: number }>(
  points: readonly Point[],
  { left = 0, right, top = -Infinity }: { left?: number; right: number; top?: number },
  taken: Box[] = dotsAt(points),
  { anchors = ["start", "end"] as readonly Anchor[], shifts = SHIFTS, most = Infinity } = {},
): (Point & PointName)[] {
  const names: (Point & PointName)[] = [];
  for (const point of points) {
    if (names.length === most) break;
    const { text, x, y } = point;
    const places = anchors.flatMap((anchor) => shifts.map((shift) => [anchor, shift] as const));
    for (const [anchor, shift] of places) {
      const at = anchor === "start" ? x + GAP : x - GAP;
      const far = anchor === "start" ? at + LETTER * text.length : at - LETTER * text.length;
      const box = boxOf(Math.min(at, far), Math.max(at, far), y + shift, LINE);
      const fits = box.left >= left && box.right <= right && box.top >= top;
      if (!fits || taken.some((other) => overlaps(box, other))) continue;
      taken.push(box);
      names.push({ ...point, x: at, y: y + shift + 4, anchor });
      break;
    }
  }
  return names;
}

function boxOf(left: number, right: number, middle: number, height: number): Box {
  return { left, right, top: middle - height / 2, bottom: middle + height / 2 };
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
