import { fitSection, residual } from "@stipple/contract/affine";
import type { SectionLandmarkSet } from "@stipple/contract/routes/study-view";
import type { Mark } from "./section-marks.tsx";

/** The same place on two sections: x, y on the first, then on the second, full-resolution px. */
export type SectionPoint = [number, number, number, number];

/** Landmarks while they are placed. */
export interface Marking {
  between: readonly [string, string];
  points: readonly SectionPoint[];
  /** A place that still lacks its counterpart, and on which of the two it is. */
  half: { on: 0 | 1; x: number; y: number } | null;
}

/** Landmarks of two sections to go on from: those that are kept, which saved ones replace, or none. */
export function markingOf(
  between: Marking["between"],
  kept: readonly Pick<SectionLandmarkSet, "between" | "points">[],
): Marking {
  const [first, second] = between;
  const found = kept.find((one) => one.between.includes(first) && one.between.includes(second));
  const points: readonly SectionPoint[] = found?.points ?? [];
  const isTurned = found?.between[0] === second;
  return {
    between,
    points: isTurned ? points.map(([x, y, toX, toY]) => [toX, toY, x, y]) : points,
    half: null,
  };
}

/** A place on one of the two sections: it completes a landmark, or waits for its counterpart. */
export function withPlace(marking: Marking, on: string, x: number, y: number): Marking {
  const { between, points, half } = marking;
  const side = between[0] === on ? 0 : between[1] === on ? 1 : null;
  if (side === null) return marking;
  if (!half || half.on === side) return { ...marking, half: { on: side, x, y } };
  const point: SectionPoint = side === 1 ? [half.x, half.y, x, y] : [x, y, half.x, half.y];
  return { ...marking, points: [...points, point], half: null };
}

/** What to draw on a section, in units of `scale` px. */
export function marksOn({ between, points, half }: Marking, on: string, scale: number): Mark[] {
  const side = between[0] === on ? 0 : between[1] === on ? 1 : null;
  if (side === null) return [];
  const marks = points.map((point, at) => ({
    label: String(at + 1),
    x: point[2 * side]! / scale,
    y: point[2 * side + 1]! / scale,
  }));
  if (half?.on !== side) return marks;
  return [...marks, { label: String(points.length + 1), x: half.x / scale, y: half.y / scale }];
}

/**
 * Root mean square distance of landmarks on the second section after matching, px; null while they do not say how the
 * sections lie on each other.
 */
export function distanceOf(points: readonly SectionPoint[]): number | null {
  const [from, to] = [points.flatMap(([x, y]) => [x, y]), points.flatMap((p) => [p[2], p[3]])];
  const map = fitSection(from, to);
  return map && residual(map, from, to);
}
