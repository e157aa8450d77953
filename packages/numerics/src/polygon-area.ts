import { boxOf } from "./boxes.ts";
import { ringStrips, type RingStrips } from "./ring-strips.ts";
import { segmentTree, type SegmentTree } from "./segment-tree.ts";
import { unitedPolygons, type UnitedPolygons } from "./united-polygons.ts";

/** Strips per polygon, and the most of them. */
const [STRIPS_PER_POLYGON, MAX_STRIPS] = [1, 4096];

/** The area of several polygons, which may overlap. */
export interface PolygonArea {
  /** Whether a point lies in any polygon and in none of its holes. */
  holds(x: number, y: number): boolean;
  /** Distance of a point from the border of what they cover together, negative inside. O(log points) near it. */
  signedDistance(x: number, y: number): number;
  /** What they cover together, square units; not what their holes leave open. */
  size(): number;
}

interface Polygon {
  shape: RingStrips;
  left: number;
  right: number;
}

/**
 * @param polygons each an outline followed by its holes; x and y alternating, the last point joined to the first.
 * O(points · log² points)
 */
export function polygonArea(polygons: readonly (readonly Float64Array[])[]): PolygonArea {
  const boxes = polygons.map(([outline]) => boxOf(outline!));
  const top = boxes.reduce((least, box) => Math.min(least, box.top), Infinity);
  const bottom = boxes.reduce((most, box) => Math.max(most, box.bottom), -Infinity);
  const nStrips = Math.min(MAX_STRIPS, Math.max(1, Math.ceil(STRIPS_PER_POLYGON * boxes.length)));
  const height = (bottom - top) / nStrips || 1;
  const stripOf = (y: number): number => Math.min(nStrips - 1, Math.floor((y - top) / height));
  const strips: Polygon[][] = Array.from({ length: nStrips }, () => []);
  polygons.forEach((rings, p) => {
    const { left, right, ...box } = boxes[p]!;
    const polygon = { shape: ringStrips(rings), left, right };
    for (let s = stripOf(box.top); s <= stripOf(box.bottom); s++) strips[s]!.push(polygon);
  });
  const holds = (x: number, y: number): boolean =>
    y >= top &&
    y <= bottom &&
    strips[stripOf(y)]!.some(
      ({ shape, left, right }) => x >= left && x <= right && shape.holds(x, y),
    );
  // Only some callers measure.
  let united: UnitedPolygons | undefined;
  let border: SegmentTree | undefined;
  const together = (): UnitedPolygons => (united ??= unitedPolygons(polygons));
  return {
    holds,
    signedDistance(x, y) {
      const away = (border ??= segmentTree(together().border)).distance(x, y);
      return holds(x, y) ? -away : away;
    },
    size: () => together().area,
  };
}
