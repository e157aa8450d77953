/**
 * An area in the tissue: polygons, each an outline followed by its holes. Rings are x and y alternating, the last point
 * joined to the first.
 */
export type Shape = readonly (readonly Float64Array[])[];

/** Area of a closed ring, positive when it runs clockwise on a screen (y down). */
function signedArea(ring: Float64Array): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += ring[at]! * ring[next + 1]! - ring[next]! * ring[at + 1]!;
  }
  return twice / 2;
}

/** Area without the holes, square units. */
export function shapeArea(shape: Shape): number {
  let area = 0;
  for (const rings of shape) {
    rings.forEach((ring, r) => (area += (r === 0 ? 1 : -1) * Math.abs(signedArea(ring))));
  }
  return area;
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
