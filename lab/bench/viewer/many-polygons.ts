/** A trefoil around a place, as x, y of each corner. */
export function ringAt(
  x: number,
  y: number,
  radius: number,
  corners: number,
  turn = 0,
): number[][] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    const away = radius * (0.75 + 0.25 * Math.sin(3 * angle + turn));
    return [x + away * Math.cos(angle), y + away * Math.sin(angle)].map(
      (value) => Math.round(100 * value) / 100,
    );
  });
}

/** GeoJSON of polygons spread evenly over a square image, in classes by turns. */
export function manyPolygons({
  polygons,
  corners,
  classes,
  sidePx,
}: {
  polygons: number;
  corners: number;
  classes: number;
  sidePx: number;
}): string {
  const perRow = Math.ceil(Math.sqrt(polygons));
  const step = sidePx / (perRow + 1);
  const features = Array.from({ length: polygons }, (_, p) => {
    const [x, y] = [((p % perRow) + 1) * step, (Math.floor(p / perRow) + 1) * step];
    const ring = ringAt(x, y, 0.4 * step, corners, p);
    return {
      type: "Feature",
      geometry: { type: "Polygon", coordinates: [[...ring, ring[0]]] },
      properties: { classification: { name: `Class ${p % classes}` } },
    };
  });
  return JSON.stringify({ type: "FeatureCollection", features });
}
