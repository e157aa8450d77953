import { NUCLEI_FILE } from "@stipple/contract/viewer-manifest";
import type { Box } from "../geometry/point-grid.ts";
import { parsePolygonTile, type PolygonTile } from "./polygon-tiles.ts";
import type { ViewSource } from "./source.ts";

/** An outline, full-resolution px: x and y of its corners. */
export interface CellOutline {
  cell: number;
  ring: Float64Array;
}

/**
 * Finds contours of nuclei whose cell has its center in a box (full-resolution px); tiles are fetched once. `offsets`:
 * the column nuclei.offsets.
 */
export function outlineFinder(
  source: ViewSource,
  offsets: Uint32Array,
): (box: Box) => Promise<CellOutline[]> {
  const { tileSidePx, columns, rows } = source.manifest.polygonTiles;
  const kept = new Map<number, Promise<PolygonTile>>();
  const tile = (at: number): Promise<PolygonTile> => {
    const known = kept.get(at);
    if (known) return known;
    const [from, to] = [offsets[at]!, offsets[at + 1]!];
    const bytes =
      to > from ? source.range(NUCLEI_FILE, from, to) : Promise.resolve(new ArrayBuffer());
    const fetched = bytes.then(parsePolygonTile);
    kept.set(at, fetched);
    fetched.catch(() => kept.delete(at));
    return fetched;
  };
  const clamp = (value: number, most: number) =>
    Math.min(most - 1, Math.max(0, Math.floor(value / tileSidePx)));
  return async ({ minX, minY, maxX, maxY }) => {
    const wanted: Promise<PolygonTile>[] = [];
    for (let row = clamp(minY, rows); row <= clamp(maxY, rows); row++) {
      for (let column = clamp(minX, columns); column <= clamp(maxX, columns); column++) {
        wanted.push(tile(row * columns + column));
      }
    }
    return (await Promise.all(wanted)).flatMap(outlinesOf);
  };
}

function outlinesOf({ cells, starts, xy }: PolygonTile): CellOutline[] {
  return Array.from(cells, (cell, at) => ({
    cell,
    ring: Float64Array.from(xy.subarray(2 * starts[at]!, 2 * starts[at + 1]!)),
  })).filter(({ ring }) => ring.length >= 6);
}
