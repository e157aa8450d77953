import type { PolygonTile } from "./polygon-tiles.ts";

/** Rings in the layout that the drawing library reads without looking at single cells: ring i begins at vertex `startIndices[i]` and repeats its first vertex at the end. */
export interface OutlineShape {
  length: number;
  startIndices: Uint32Array;
  /** x, y of each vertex. */
  xy: Float32Array;
  /** The cell of each ring. */
  cells: Uint32Array;
  /** Cells of the tiles that have no outline. */
  without: readonly number[];
}

/** All outlines of some tiles; `factor` scales positions. Rings of fewer than three corners are left out. O(corners). */
export function outlineShape(tiles: readonly PolygonTile[], factor: number): OutlineShape {
  let rings = 0;
  let vertices = 0;
  const without: number[] = [];
  for (const { cells, starts } of tiles) {
    for (let ring = 0; ring < cells.length; ring++) {
      const corners = starts[ring + 1]! - starts[ring]!;
      if (corners >= 3) {
        rings += 1;
        vertices += corners + 1;
      } else without.push(cells[ring]!);
    }
  }
  const shape: OutlineShape = {
    length: rings,
    startIndices: new Uint32Array(rings + 1),
    xy: new Float32Array(vertices * 2),
    cells: new Uint32Array(rings),
    without,
  };
  let vertex = 0;
  let at = 0;
  for (const { cells, starts, xy } of tiles) {
    for (let ring = 0; ring < cells.length; ring++) {
      const start = starts[ring]!;
      const end = starts[ring + 1]!;
      if (end - start < 3) continue;
      shape.startIndices[at] = vertex;
      shape.cells[at++] = cells[ring]!;
      for (let corner = start; corner <= end; corner++) {
        const from = corner === end ? start : corner;
        shape.xy[2 * vertex] = xy[2 * from]! * factor;
        shape.xy[2 * vertex + 1] = xy[2 * from + 1]! * factor;
        vertex += 1;
      }
    }
  }
  shape.startIndices[rings] = vertex;
  return shape;
}

/** Red, green, blue and alpha of each vertex from those of the cells (4 × nCells; alpha 0 = not drawn). O(vertices). */
export function outlineColors(shape: OutlineShape, cellRgba: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(shape.startIndices[shape.length]! * 4);
  // One write a vertex: the four parts of a colour as one number.
  const colors = new Uint32Array(rgba.buffer);
  const ofCells = new Uint32Array(cellRgba.buffer, cellRgba.byteOffset, cellRgba.length / 4);
  for (let ring = 0; ring < shape.length; ring++) {
    colors.fill(
      ofCells[shape.cells[ring]!]!,
      shape.startIndices[ring],
      shape.startIndices[ring + 1],
    );
  }
  return rgba;
}

/** The closed outline of one cell, x, y of each corner; undefined when it has none here. O(rings). */
export function outlineOf(shape: OutlineShape, cell: number): Float32Array | undefined {
  const ring = shape.cells.indexOf(cell);
  return ring < 0
    ? undefined
    : shape.xy.subarray(2 * shape.startIndices[ring]!, 2 * shape.startIndices[ring + 1]!);
}

/** Whether a place lies inside a closed ring (x, y of each corner): an odd number of its edges lies to the right. O(corners). */
export function isInside(ring: Float32Array, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const x1 = ring[at]!;
    const y1 = ring[at + 1]!;
    const x2 = ring[at + 2]!;
    const y2 = ring[at + 3]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
