import type { Polygons } from "./matrices.ts";
import { signedArea } from "./polygon-shape.ts";

/** The points of a ring: a view of the array of all. */
export function ringOf({ offsets, xy }: Polygons, ring: number): Float32Array {
  return xy.subarray(2 * offsets[ring]!, 2 * offsets[ring + 1]!);
}

/** Rings (x0, y0, x1, y1, …), each asked for twice, as one array with offsets. O(points). */
export function packRings(rings: {
  length: number;
  at(ring: number): ArrayLike<number> | undefined;
}): Polygons {
  const offsets = new Uint32Array(rings.length + 1);
  for (let i = 0; i < rings.length; i++) offsets[i + 1] = offsets[i]! + rings.at(i)!.length / 2;
  const xy = new Float32Array(2 * offsets[rings.length]!);
  for (let i = 0; i < rings.length; i++) xy.set(rings.at(i)!, 2 * offsets[i]!);
  return { offsets, xy };
}

/** Some of the rings. O(their points). */
export function pickRings(polygons: Polygons, rings: ArrayLike<number>): Polygons {
  return packRings({ length: rings.length, at: (i) => ringOf(polygons, rings[i]!) });
}

/** Area of each ring, in the square of its unit. O(points). */
export function areasOf(polygons: Polygons): Float64Array {
  return Float64Array.from({ length: polygons.offsets.length - 1 }, (_, ring) =>
    Math.abs(signedArea(ringOf(polygons, ring))),
  );
}
