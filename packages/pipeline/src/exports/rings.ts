import type { Matrix, Polygons } from "@stipple/numerics/matrices";

/** Outlines of cells, in full-resolution pixels. */
export interface Outlines {
  xy: Matrix;
  cells: Polygons;
  nuclei: Polygons;
  /** Half the side of the square drawn for a cell without an outline, px. */
  halfSidePx: number;
}

/**
 * Closed ring of a cell (alternating x and y, the first point repeated at the end): its outline, or a square if it has
 * none. It lies in memory that the next ring reuses; the caller may change it.
 */
export function cellRing(outlines: Outlines, cell: number): Float64Array {
  const { xy, cells, halfSidePx: h } = outlines;
  const ring = closedRing(cells, cell);
  if (ring) return ring;
  const [x, y] = [xy.data[2 * cell], xy.data[2 * cell + 1]];
  return squareRing(hundredths(x - h), hundredths(y - h), hundredths(x + h), hundredths(y + h));
}

/** Closed ring of a square, in the same memory. */
function squareRing(left: number, top: number, right: number, bottom: number): Float64Array {
  const ring = ringBuffer(10);
  ring.set([left, top, right, top, right, bottom, left, bottom, left, top]);
  return ring;
}

/** Closed ring of a cell's nucleus, in the same memory; null if it has none. */
export function nucleusRing({ cells, nuclei }: Outlines, cell: number): Float64Array | null {
  return nuclei.offsets.length === cells.offsets.length ? closedRing(nuclei, cell) : null;
}

/** Whether the cell has an outlined nucleus. */
export function hasNucleus({ cells, nuclei }: Outlines, cell: number): boolean {
  return nuclei.offsets.length === cells.offsets.length && pointsOf(nuclei, cell) >= 3;
}

/** The ring as coordinate pairs for GeoJSON. */
export function pairs(ring: Float64Array): [number, number][] {
  return Array.from({ length: ring.length / 2 }, (_, p) => [ring[2 * p], ring[2 * p + 1]]);
}

function pointsOf({ offsets }: Polygons, cell: number): number {
  return offsets[cell + 1] - offsets[cell];
}

/** Null if the polygon has fewer than three points. */
function closedRing(polygons: Polygons, cell: number): Float64Array | null {
  if (pointsOf(polygons, cell) < 3) return null;
  const { offsets, xy } = polygons;
  const [from, to] = [2 * offsets[cell], 2 * offsets[cell + 1]];
  const ring = ringBuffer(to - from + 2);
  for (let i = from; i < to; i++) ring[i - from] = hundredths(xy[i]);
  ring[to - from] = ring[0];
  ring[to - from + 1] = ring[1];
  return ring;
}

/** Memory of one ring, reused: separate arrays would be most of the garbage when outlines are written. */
let buffer = new Float64Array(256);

function ringBuffer(length: number): Float64Array {
  if (buffer.length < length) buffer = new Float64Array(2 * length);
  return buffer.subarray(0, length);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
