import { regionsGeoJson } from "@stipple/formats/geojson/write-regions";
import { openRing, type RegionValue } from "../region-shape.ts";

/** Regions as a GeoJSON that QuPath and the import read. */
export function geoJsonOf(values: readonly RegionValue[]): Blob {
  const text = regionsGeoJson(
    values.map(({ name, class: kind, color, polygons, imported }) => ({
      name,
      kind,
      color,
      ...(imported && { imported: { ...imported, kind: imported.class } }),
      polygons: polygons.map((rings) => rings.map(openRing)),
    })),
  );
  return new Blob([text], { type: "application/geo+json" });
}
