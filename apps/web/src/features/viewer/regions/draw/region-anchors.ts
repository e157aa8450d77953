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
    .map(({ value, shape }) => ({ name: shownName(value), ...middleOf(largest(shape)) }));
}

export function shownName({ name, excluded }: ViewRegion["value"]): string {
  return excluded ? regionTexts.excludedName(name) : name;
}

/** The outline of the largest polygon. */
function largest(shape: Shape): Float64Array {
  const outlines = shape.map(([outline]) => ({ outline: outline!, area: shapeArea([[outline!]]) }));
  return outlines.reduce((a, b) => (b.area > a.area ? b : a)).outline;
}

/** The middle of a ring's bounding box. */
function middleOf(ring: Float64Array): { x: number; y: number } {
  const { minX, maxX, minY, maxY } = boundsOf(ring);
  return { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
}
