import { boundsOf, shapeArea, type Shape } from "@stipple/viewer/geometry";
import type { GroupLabel } from "@stipple/viewer/figure";
import type { ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";

/** Where the names of regions belong that are not hidden, in drawing units. */
export function regionAnchors(
  regions: readonly ViewRegion[],
  hidden: readonly string[],
): GroupLabel[] {
  return regions
    .filter(({ id }) => !hidden.includes(id))
    .map(({ value, shape }) => ({ name: shownName(value), ...insideOf(largest(shape)) }));
}

export function shownName({ name, excluded }: ViewRegion["value"]): string {
  return excluded ? regionTexts.excludedName(name) : name;
}

/** The largest polygon, an outline and its holes. */
function largest(shape: Shape): Shape[number] {
  const sized = shape.map((rings) => ({ rings, area: shapeArea([rings]) }));
  return sized.reduce((a, b) => (b.area > a.area ? b : a)).rings;
}

/** The middle of a polygon's widest stretch at half its height, which lies in no hole and no bay. O(points). */
function insideOf(rings: Shape[number]): { x: number; y: number } {
  const { minX, maxX, minY, maxY } = boundsOf(rings[0]!);
  const y = (minY + maxY) / 2;
  const borders = Float64Array.from(rings.flatMap((ring) => crossings(ring, y))).sort();
  let [left, right] = borders.length > 0 ? borders.subarray(0, 2) : [minX, maxX];
  for (let at = 2; at < borders.length; at += 2) {
    const [from, to] = borders.subarray(at, at + 2);
    if (to! - from! > right! - left!) [left, right] = [from, to];
  }
  return { x: (left! + right!) / 2, y };
}

/** Where a ring crosses a row, x of each crossing. */
function crossings(ring: Float64Array, y: number): number[] {
  const xs: number[] = [];
  for (let at = 0, from = ring.length - 2; at < ring.length; from = at, at += 2) {
    const [y0, y1] = [ring[from + 1]!, ring[at + 1]!];
    if (y0 < y === y1 < y) continue;
    xs.push(ring[from]! + ((y - y0) / (y1 - y0)) * (ring[at]! - ring[from]!));
  }
  return xs;
}
