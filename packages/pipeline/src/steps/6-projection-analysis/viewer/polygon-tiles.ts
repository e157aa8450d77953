import { open } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import type { Matrix, Polygons } from "@stipple/numerics/matrices";
import { placesByValue } from "@stipple/numerics/places-by-value";
import { pickRings } from "@stipple/numerics/rings";

/**
 * About 200 KB per tile, and about ten tiles in a window where cells are large enough to have a visible shape.
 */
const CELLS_PER_TILE = 1000;
const SMALLEST_SIDE_PX = 128;

/**
 * Writes the outlines in square image tiles, row by row; see `ViewerManifest.polygonTiles` for the tile layout.
 * Cells without an outline are in no tile; cells outside the image are in the nearest one. Also returns the
 * byte offsets of the tiles. O(cells + corners), memory for the largest tile in addition to the outlines.
 */
export async function writePolygonTiles(
  folder: string,
  name: string,
  xy: Matrix,
  polygons: Polygons,
  extent: { widthPx: number; heightPx: number },
): Promise<{ tiles: ViewerManifest["polygonTiles"]; offsets: Uint32Array }> {
  const nCells = xy.nRows;
  const tileSidePx = Math.max(
    SMALLEST_SIDE_PX,
    Math.ceil(Math.sqrt((extent.widthPx * extent.heightPx * CELLS_PER_TILE) / Math.max(1, nCells))),
  );
  const columns = Math.max(1, Math.ceil(extent.widthPx / tileSidePx));
  const rows = Math.max(1, Math.ceil(extent.heightPx / tileSidePx));
  const nTiles = columns * rows;
  const place = (px: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(px / tileSidePx)));
  /** −1 for cells without an outline. */
  const tileOf = Int32Array.from({ length: nCells }, (_, cell) =>
    polygons.offsets[cell + 1] > polygons.offsets[cell]
      ? place(xy.data[2 * cell + 1], rows) * columns + place(xy.data[2 * cell], columns)
      : -1,
  );
  const { starts: first, places: cells } = placesByValue(tileOf, nTiles);

  const offsets = new Uint32Array(nTiles + 1);
  await using file = await open(join(folder, name), "w");
  let end = 0;
  for (let tile = 0; tile < nTiles; tile++) {
    const bytes = tileBytes(cells.subarray(first[tile], first[tile + 1]), polygons);
    await file.writeFile(bytes);
    end += bytes.length;
    if (end > 0xffffffff) throw new RangeError("Outlines of more than 4 GB cannot be addressed");
    offsets[tile + 1] = end;
  }
  return { tiles: { file: name, tileSidePx, columns, rows }, offsets };
}

/** One tile: n, the cells, n + 1 offsets of first corners, the corners. */
function tileBytes(cells: Uint32Array, polygons: Polygons): Uint8Array {
  const n = cells.length;
  const { offsets, xy } = pickRings(polygons, cells);
  const head = 2 + 2 * n;
  const numbers = new Uint32Array(head + xy.length);
  numbers[0] = n;
  numbers.set(cells, 1);
  numbers.set(offsets, 1 + n);
  new Float32Array(numbers.buffer).set(xy, head);
  return new Uint8Array(numbers.buffer);
}
