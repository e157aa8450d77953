import { signedArea } from "@stipple/numerics/polygon-shape";
import { unitedPolygons } from "@stipple/numerics/united-polygons";

/**
 * An area in the tissue: polygons, each an outline followed by its holes. Rings are x and y alternating, the last point
 * joined to the first.
 */
export type Shape = readonly (readonly Float64Array[])[];

/** What its polygons cover together, without the holes, square units. */
export function shapeArea(shape: Shape): number {
  return unitedPolygons(shape).area;
}

/** The same shape in units that are `factor` times as small. */
export function scaledShape(shape: Shape, factor: number): Shape {
  return shape.map((rings) => rings.map((ring) => ring.map((value) => value * factor)));
}

/** Outlines clockwise and holes the other way round, as filling by the nonzero rule needs. */
export function turnedRings(shape: Shape): Float64Array[] {
  return shape.flatMap((rings) =>
    rings.map((ring, r) => (signedArea(ring) > 0 === (r === 0) ? ring : reversed(ring))),
  );
}

function reversed(ring: Float64Array): Float64Array {
  return ring.map((_, at) => ring[ring.length - 2 - at + 2 * (at % 2)]!);
}
