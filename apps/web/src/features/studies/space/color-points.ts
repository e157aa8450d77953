import type { StudySpaceAnswer } from "@stipple/contract/routes/studies";
import { NO_TYPE, type StudyPoints } from "@stipple/contract/study-points";

export const COLORINGS = ["sample", "condition", "type", "cluster"] as const;
export type Coloring = (typeof COLORINGS)[number];

export interface ColoredPoints {
  legend: { name: string; color: string }[];
  /** Place in the legend of each point; the legend's length where there is none. */
  of: Uint16Array;
}

/** What the points are colored by. O(points). */
export function colorPoints(
  { samples, conditions, types, clusters }: StudySpaceAnswer,
  { cluster, type }: Pick<StudyPoints, "cluster" | "type">,
  by: Coloring,
): ColoredPoints {
  if (by === "type") {
    return { legend: types, of: type.map((one) => (one === NO_TYPE ? types.length : one)) };
  }
  if (by === "cluster") {
    return { legend: clusters.map(({ color }, at) => ({ name: `${at}`, color })), of: cluster };
  }
  const of = new Uint16Array(cluster.length);
  let from = 0;
  samples.forEach(({ points, condition }, at) => {
    const place = by === "sample" ? at : conditions.findIndex(({ name }) => name === condition);
    of.fill(place < 0 ? conditions.length : place, from, from + points);
    from += points;
  });
  return { legend: by === "sample" ? samples : conditions, of };
}

const LARGEST = 65_535;
/** Of points without a color of their own. */
const GRAY = [150, 150, 150] as const;
/** Sides of a point, px, for few and for many of them. */
const [SMALL, LARGE, FEW] = [2, 4, 20_000];
/** Neighboring points in the list are drawn this far apart, so that no sample covers the others. */
const STRIDE = 7919;

/** RGBA pixels of a square with the points; y grows upward. O(points + side²). */
export function drawPoints(
  xy: Uint16Array,
  { legend, of }: ColoredPoints,
  side: number,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * side * side);
  const words = new Uint32Array(pixels.buffer);
  const colors = Uint32Array.from([
    ...legend.map(({ color }) => wordOf(rgbOf(color))),
    wordOf(GRAY),
  ]);
  const n = of.length;
  const size = Math.min(side, n <= FEW ? LARGE : SMALL);
  const scale = (side - size) / LARGEST;
  for (let start = 0; start < STRIDE; start++) {
    for (let i = start; i < n; i += STRIDE) {
      const left = Math.round(xy[2 * i]! * scale);
      const top = side - size - Math.round(xy[2 * i + 1]! * scale);
      const color = colors[Math.min(of[i]!, legend.length)]!;
      for (let y = top; y < top + size; y++)
        words.fill(color, y * side + left, y * side + left + size);
    }
  }
  return pixels;
}

function rgbOf(color: string): readonly [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** As it stands in memory on little-endian machines. */
function wordOf([red, green, blue]: readonly [number, number, number]): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
