import type { DrawnRegion, ImportedRegion } from "./drawn-region.ts";

/**
 * Regions as a GeoJSON of annotations for QuPath (File > Import objects): one object each, or those that it was
 * imported from, as they were but for what was changed since.
 */
export function regionsGeoJson(regions: readonly DrawnRegion[]): string {
  return JSON.stringify({ type: "FeatureCollection", features: regions.flatMap(featuresOf) });
}

function featuresOf(region: DrawnRegion): object[] {
  const { name, kind, color, polygons, imported, signed } = region;
  const author = signed ? { signed } : {};
  if (imported) return importedFeatures(region, imported, author);
  const colored = color ? { color: bytesOf(color) } : {};
  return [
    {
      type: "Feature",
      geometry: geometryOf(polygons),
      properties: {
        objectType: "annotation",
        name,
        ...colored,
        ...(kind && { classification: { ...classNames(kind), ...colored } }),
        ...author,
      },
    },
  ];
}

function importedFeatures(region: DrawnRegion, imported: ImportedRegion, author: object): object[] {
  const changed = changesOf(region, imported);
  let [from, geometry, properties] = [0, {}, {}];
  return imported.objects.map((object) => {
    const polygons = region.polygons.slice(from, (from += object.polygons));
    ({ geometry = geometry, properties = properties } = object);
    return {
      type: "Feature",
      ...(object.id !== undefined && { id: object.id }),
      geometry: { ...geometry, ...geometryOf(polygons, geometry) },
      properties: { ...changed(properties), ...author },
    };
  });
}

/** Properties of an object with what its region is called, classed, and colored now, if that was changed. */
function changesOf(
  { name, kind, color }: DrawnRegion,
  imported: ImportedRegion,
): (properties: Record<string, unknown>) => Record<string, unknown> {
  const colored = color ? { color: bytesOf(color) } : {};
  const isColored = color !== imported.color;
  const isClassed = kind !== imported.kind || (isColored && kind !== null);
  return (properties) => ({
    ...properties,
    ...(name !== imported.name && { name }),
    ...(isColored && colored),
    ...(isClassed && {
      classification: kind === null ? undefined : { ...classNames(kind), ...colored },
    }),
  });
}

function geometryOf(polygons: readonly Float64Array[][], given: { type?: unknown } = {}): object {
  const coordinates = polygons.map((rings) => rings.map(closed));
  return coordinates.length === 1 && given.type !== "MultiPolygon"
    ? { type: "Polygon", coordinates: coordinates[0] }
    : { type: "MultiPolygon", coordinates };
}

function bytesOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
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
