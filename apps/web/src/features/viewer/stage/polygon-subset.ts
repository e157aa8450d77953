import type { PolygonTile } from "./polygon-tiles.ts";

/** Rings in the layout that the drawing library reads without looking at single cells: ring i begins at vertex `startIndices[i]` and repeats its first vertex at the end. */
export interface PolygonSubset {
  length: number;
  startIndices: Uint32Array;
  /** x, y of each vertex. */
  xy: Float32Array;
  /** Red, green, blue, alpha of each vertex. */
  rgba: Uint8Array;
}

/**
 * Outlines of the tiles' cells that are wanted, drawn (alpha above 0 in `cellRgba`) and have at least three corners.
 * `factor` scales positions. O(corners).
 */
export function polygonSubset(
  tiles: readonly PolygonTile[],
  factor: number,
  cellRgba: Uint8Array,
  wanted: (cell: number) => boolean = () => true,
): PolygonSubset {
  const chosen = tiles.map(({ cells, starts }) =>
    Uint32Array.from(cells.keys()).filter(
      (ring) =>
        cellRgba[4 * cells[ring]! + 3]! > 0 &&
        starts[ring + 1]! - starts[ring]! >= 3 &&
        wanted(cells[ring]!),
    ),
  );
  let rings = 0;
  let vertices = 0;
  chosen.forEach((those, at) => {
    const { starts } = tiles[at]!;
    rings += those.length;
    for (const ring of those) vertices += starts[ring + 1]! - starts[ring]! + 1;
  });
  const out: PolygonSubset = {
    length: rings,
    startIndices: new Uint32Array(rings + 1),
    xy: new Float32Array(vertices * 2),
    rgba: new Uint8Array(vertices * 4),
  };
  let vertex = 0;
  let ringAt = 0;
  chosen.forEach((those, at) => {
    const { cells, starts, xy } = tiles[at]!;
    for (const ring of those) {
      out.startIndices[ringAt++] = vertex;
      const start = starts[ring]!;
      const end = starts[ring + 1]!;
      const color = cellRgba.subarray(4 * cells[ring]!, 4 * cells[ring]! + 4);
      for (let corner = start; corner <= end; corner++) {
        const from = corner === end ? start : corner;
        out.xy[2 * vertex] = xy[2 * from]! * factor;
        out.xy[2 * vertex + 1] = xy[2 * from + 1]! * factor;
        out.rgba.set(color, 4 * vertex);
        vertex += 1;
      }
    }
  });
  out.startIndices[rings] = vertex;
  return out;
}
