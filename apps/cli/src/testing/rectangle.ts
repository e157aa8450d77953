/** Left, top, right, bottom, full-resolution pixels. */
type Box = [x0: number, y0: number, x1: number, y1: number];

/** A region as QuPath writes it. */
export function rectangle(name: string, [x0, y0, x1, y1]: Box, more: object = {}): object {
  const ring = [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
    [x0, y0],
  ];
  return {
    type: "Feature",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: { objectType: "annotation", name, ...more },
  };
}
