import type { AnnotationValue } from "@stipple/contract/annotations";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { scaledShape, shapeArea, type Shape } from "@stipple/viewer/geometry";

export type RegionValue = AnnotationValue<"region">;

/** A region as the view uses it. */
export interface ViewRegion {
  id: string;
  value: RegionValue;
  /** In drawing units: px of the largest tissue level. */
  shape: Shape;
  areaMm2: number;
}

/** Sizes of the drawing: px per drawing unit, and µm per px. */
export interface RegionScale {
  micronsPerPixel: number;
  tissue: { scale: number };
}

type ImageScale = Pick<ViewerManifest, "widthPx" | "heightPx"> & Pick<RegionScale, "tissue">;

/** A kept polygon's coordinates have this many decimal places, in full-resolution px. */
const PER_PX = 100;

const made = new WeakMap<RegionValue, Omit<ViewRegion, "id" | "value">>();

/** The same shape for the same value. */
export function viewRegion(id: string, value: RegionValue, scale: RegionScale): ViewRegion {
  let known = made.get(value);
  if (!known) {
    const px = value.polygons.map((rings) => rings.map(openRing));
    known = {
      shape: scaledShape(px, 1 / scale.tissue.scale),
      areaMm2: (shapeArea(px) * scale.micronsPerPixel ** 2) / 1e6,
    };
    made.set(value, known);
  }
  return { id, value, ...known };
}

/** The whole image, in drawing units. */
export function imageShape({ widthPx, heightPx, tissue }: ImageScale): Shape {
  const [right, bottom] = [widthPx / tissue.scale, heightPx / tissue.scale];
  return [[Float64Array.of(0, 0, right, 0, right, bottom, 0, bottom)]];
}

/** Polygons as they are kept, from a shape in drawing units. */
export function keptPolygons(shape: Shape, { tissue }: RegionScale): RegionValue["polygons"] {
  return shape.map((rings) => rings.map((ring) => keptCorners(ring, tissue.scale)));
}

/** The corners of a ring as they are kept, in units that are `scale` times as large. */
export function keptCorners(ring: Float64Array, scale = 1): [number, number][] {
  return cornersOf(ring.map((value) => Math.round(value * scale * PER_PX) / PER_PX));
}

export function cornersOf(ring: Float64Array): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at]!, ring[2 * at + 1]!]);
}

/** Full-resolution px of a ring, without a repeated first point. */
export function openRing(points: readonly (readonly [number, number])[]): Float64Array {
  const [first, last] = [points[0]!, points.at(-1)!];
  const isClosed = points.length > 3 && first[0] === last[0] && first[1] === last[1];
  return Float64Array.from((isClosed ? points.slice(0, -1) : points).flat());
}
