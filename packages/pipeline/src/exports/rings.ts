import type { Matrix, Polygons } from "../fields.ts";

/** Cells as outlines, full-resolution pixels. */
export interface Outlines {
  xy: Matrix;
  cells: Polygons;
  nuclei: Polygons;
  /** Half the side of the square that stands for a cell without an outline, px. */
  halfSidePx: number;
}

/** Closed ring of a cell (x, y in turn, the first point repeated at the end): its outline, or a square where it has none. */
export function cellRing(outlines: Outlines, cell: number): Float64Array {
  const { xy, cells, halfSidePx: h } = outlines;
  const ring = closedRing(cells, cell);
  if (ring) return ring;
  const [x, y] = [xy.data[2 * cell], xy.data[2 * cell + 1]];
  return Float64Array.of(x - h, y - h, x + h, y - h, x + h, y + h, x - h, y + h, x - h, y - h).map(
    hundredths,
  );
}

/** Closed ring of a cell's nucleus; null where it has none. */
export function nucleusRing({ cells, nuclei }: Outlines, cell: number): Float64Array | null {
  return nuclei.offsets.length === cells.offsets.length ? closedRing(nuclei, cell) : null;
}

/** The ring as GeoJSON's pairs. */
export function pairs(ring: Float64Array): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, p) => [ring[2 * p], ring[2 * p + 1]]);
}

/** Null when the polygon has fewer than three points. */
function closedRing({ offsets, xy }: Polygons, cell: number): Float64Array | null {
  const [from, to] = [2 * offsets[cell], 2 * offsets[cell + 1]];
  if (to - from < 6) return null;
  const ring = new Float64Array(to - from + 2);
  for (let i = from; i < to; i++) ring[i - from] = hundredths(xy[i]);
  ring[to - from] = ring[0];
  ring[to - from + 1] = ring[1];
  return ring;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
