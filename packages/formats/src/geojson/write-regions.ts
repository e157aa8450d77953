import type { DrawnRegion } from "./drawn-region.ts";

/** Regions as a GeoJSON of annotations, one object each, for QuPath (File > Import objects). */
export function regionsGeoJson(regions: readonly DrawnRegion[]): string {
  return JSON.stringify({ type: "FeatureCollection", features: regions.map(featureOf) });
}

function featureOf({ name, kind, color, polygons, object = {}, signed }: DrawnRegion): object {
  const { id, isLocked } = object;
  const coordinates = polygons.map((rings) => rings.map(closed));
  const bytes = color && [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const colored = bytes ? { color: bytes } : {};
  return {
    type: "Feature",
    ...(id !== undefined && { id }),
    geometry:
      coordinates.length === 1
        ? { type: "Polygon", coordinates: coordinates[0] }
        : { type: "MultiPolygon", coordinates },
    properties: {
      objectType: "annotation",
      name,
      ...colored,
      ...(isLocked !== undefined && { isLocked }),
      ...(kind && { classification: { ...classNames(kind), ...colored } }),
      ...(signed && { signed }),
    },
  };
}

/** A class as QuPath writes it: nested ones as a list. */
function classNames(kind: string): { name: string } | { names: string[] } {
  const names = kind.split(": ");
  return names.length > 1 ? { names } : { name: kind };
}

/** Points of a ring, the first one repeated at the end. */
function closed(ring: Float64Array): [number, number][] {
  const points: [number, number][] = [];
  for (let p = 0; p < ring.length; p += 2) points.push([ring[p]!, ring[p + 1]!]);
  return [...points, points[0]!];
}
