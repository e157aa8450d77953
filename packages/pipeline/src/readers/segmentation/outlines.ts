import type { Polygons } from "@stipple/numerics/matrices";

/** Outlines from another program, in full-resolution pixels, in the order of its file. */
export interface Outlines {
  cells: Polygons;
  /** The nuclei of these cells; null if the file does not distinguish them. */
  nuclei: Polygons | null;
}

export function packRings(rings: readonly ArrayLike<number>[]): Polygons {
  const offsets = new Uint32Array(rings.length + 1);
  rings.forEach((ring, i) => (offsets[i + 1] = offsets[i] + ring.length / 2));
  const xy = new Float32Array(2 * offsets[rings.length]);
  rings.forEach((ring, i) => xy.set(ring, 2 * offsets[i]));
  return { offsets, xy };
}

/** The outline of a GeoJSON polygon, or of the largest of several; null if there is none. */
export function outerRing(geometry: unknown): Float32Array | null {
  const { type, coordinates } = (geometry ?? {}) as { type?: string; coordinates?: unknown };
  const polygons: unknown[] =
    type === "Polygon"
      ? [coordinates]
      : type === "MultiPolygon" && Array.isArray(coordinates)
        ? coordinates
        : [];
  const rings = polygons
    .map((polygon): unknown => (Array.isArray(polygon) ? polygon[0] : null))
    .filter(
      (ring): ring is unknown[][] =>
        Array.isArray(ring) && ring.length >= 3 && ring.every((point) => Array.isArray(point)),
    )
    .sort((a, b) => b.length - a.length);
  const [ring] = rings;
  if (!ring) return null;
  const [first, last] = [ring[0], ring[ring.length - 1]];
  const closed = first[0] === last[0] && first[1] === last[1];
  const points = closed ? ring.slice(0, -1) : ring;
  const outline = Float32Array.from(
    points.flatMap((point) => [Number(point[0]), Number(point[1])]),
  );
  return points.length >= 3 && outline.every(Number.isFinite) ? outline : null;
}
