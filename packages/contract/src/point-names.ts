/** A name beside its point in a plot, px. */
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
const SHIFTS = [0, 8, -8];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Places names beside their points, the first ones first. A name that would cover another, one of the points, or the
 * border, is left out. O(n²).
 * @param top where the plot begins, below the title of its axis
 */
export function namesBeside(
  points: readonly { text: string; x: number; y: number }[],
  { width, top }: { width: number; top: number },
): PointName[] {
  const taken: Box[] = points.map(({ x, y }) => boxOf(x - 3, x + 3, y, 6));
  return points.flatMap(({ text, x, y }) => {
    for (const anchor of ["start", "end"] as const) {
      for (const shift of SHIFTS) {
        const at = anchor === "start" ? x + GAP : x - GAP;
        const far = anchor === "start" ? at + LETTER * text.length : at - LETTER * text.length;
        const box = boxOf(Math.min(at, far), Math.max(at, far), y + shift, LINE);
        const fits = box.left >= 0 && box.right <= width && box.top >= top;
        if (!fits || taken.some((other) => overlaps(box, other))) continue;
        taken.push(box);
        return [{ text, x: at, y: y + shift + 4, anchor }];
      }
    }
    return [];
  });
}

function boxOf(left: number, right: number, middle: number, height: number): Box {
  return { left, right, top: middle - height / 2, bottom: middle + height / 2 };
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}
