import type { Polygons } from "@stipple/numerics/matrices";
import { signedArea } from "@stipple/numerics/polygon-shape";

/** Outlines from another program, in full-resolution pixels, in the order of its file. */
export interface Outlines {
  cells: Polygons;
  /** The nuclei of these cells; null if the file does not distinguish them. */
  nuclei: Polygons | null;
}

/**
 * The outline of a GeoJSON polygon, or of the largest of several; null if there is none. `fail` is called for corners
 * that are not numbers.
 */
export function outerRing(geometry: unknown, fail: Fail): Float32Array | null {
  const { type, coordinates } = (geometry ?? {}) as { type?: string; coordinates?: unknown };
  const polygons: unknown[] =
    type === "Polygon"
      ? [coordinates]
      : type === "MultiPolygon" && Array.isArray(coordinates)
        ? coordinates
        : [];
  const rings = polygons.flatMap((polygon) =>
    openRing(Array.isArray(polygon) ? polygon[0] : null, fail),
  );
  if (rings.length < 2) return rings[0] ?? null;
  const areas = rings.map((ring) => Math.abs(signedArea(ring)));
  return rings[areas.reduce((best, area, i) => (area > areas[best] ? i : best), 0)];
}

type Fail = (what: string) => never;

/** A ring without its repeated last point; none if it has fewer than three points. */
function openRing(ring: unknown, fail: Fail): Float32Array[] {
  if (!Array.isArray(ring) || !ring.every((point) => Array.isArray(point))) return [];
  const corners: unknown[] = ring.flatMap(([x, y]) => [x, y]);
  const xy = Float32Array.from(corners, (value) => (typeof value === "number" ? value : NaN));
  if (!xy.every(Number.isFinite)) fail("has an outline with a corner that lacks x or y");
  const n = xy.length;
  const isClosed = n > 2 && xy[0] === xy[n - 2] && xy[1] === xy[n - 1];
  const open = isClosed ? xy.subarray(0, -2) : xy;
  return open.length >= 6 ? [open] : [];
}
