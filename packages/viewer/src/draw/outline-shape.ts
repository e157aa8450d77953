import { meshOf, ringMeets } from "./outline-mesh.ts";
import type { Box } from "../geometry/point-grid.ts";
import type { PolygonTile } from "../source/polygon-tiles.ts";

/**
 * Cell outlines as rings: ring i has vertices `startIndices[i]` ≤ v < `startIndices[i + 1]` and repeats the first one
 * at the end.
 */
export interface OutlineShape {
  length: number;
  startIndices: Uint32Array;
  /** x, y of each vertex. */
  xy: Float32Array;
  /** The cell of each ring. */
  cells: Uint32Array;
}

/** Rings in the form OutlineLayer takes: two mesh vertices per corner, for the two sides of the line. */
export interface OutlineMesh extends OutlineShape {
  /** x, y of each mesh vertex. */
  places: Float32Array;
  /** Offset from the vertex to the side of the line, as in TileMesh; inner sides point the other way. */
  miters: Int16Array;
  /** Triangles of the areas and of the lines. */
  areas: Uint32Array;
  lines: Uint32Array;
}

/**
 * The outlines in some tiles that intersect `box`; `factor` scales positions. Rings with fewer than three corners are
 * skipped. O(corners).
 */
export function outlineShape(
  tiles: readonly PolygonTile[],
  factor: number,
  box: Box = EVERYWHERE,
): OutlineMesh {
  const within = {
    minX: box.minX / factor,
    minY: box.minY / factor,
    maxX: box.maxX / factor,
    maxY: box.maxY / factor,
  };
  const chosen = tiles.map((tile) => {
    const { bounds } = meshOf(tile);
    const rings: number[] = [];
    for (let ring = 0; ring < tile.cells.length; ring++) {
      const isRing = tile.starts[ring + 1]! - tile.starts[ring]! >= 3;
      if (isRing && ringMeets(bounds, ring, within)) rings.push(ring);
    }
    return rings;
  });
  let [rings, corners, inAreas] = [0, 0, 0];
  tiles.forEach((tile, at) => {
    const { triangleStarts } = meshOf(tile);
    rings += chosen[at]!.length;
    for (const ring of chosen[at]!) {
      corners += tile.starts[ring + 1]! - tile.starts[ring]!;
      inAreas += triangleStarts[ring + 1]! - triangleStarts[ring]!;
    }
  });
  const shape: OutlineMesh = {
    length: rings,
    startIndices: new Uint32Array(rings + 1),
    xy: new Float32Array(2 * (corners + rings)),
    cells: new Uint32Array(rings),
    places: new Float32Array(4 * corners),
    miters: new Int16Array(4 * corners),
    areas: new Uint32Array(inAreas),
    lines: new Uint32Array(6 * corners),
  };
  let [next, vertex, corner, inArea] = [0, 0, 0, 0];
  tiles.forEach((tile, at) => {
    const mesh = meshOf(tile);
    for (const ring of chosen[at]!) {
      const from = tile.starts[ring]!;
      const n = tile.starts[ring + 1]! - from;
      for (let place = mesh.triangleStarts[ring]!; place < mesh.triangleStarts[ring + 1]!; place++)
        shape.areas[inArea++] = 2 * (corner + mesh.triangles[place]!);
      for (let k = 0; k <= n; k++) {
        const source = 2 * (from + (k % n));
        shape.xy[2 * (vertex + k)] = tile.xy[source]! * factor;
        shape.xy[2 * (vertex + k) + 1] = tile.xy[source + 1]! * factor;
      }
      for (let k = 0; k < n; k++) {
        writeSides(shape, 2 * (corner + k), vertex + k, mesh.miters, 2 * (from + k));
        writeLine(shape.lines, 6 * (corner + k), 2 * (corner + k), 2 * (corner + ((k + 1) % n)));
      }
      shape.cells[next++] = tile.cells[ring]!;
      corner += n;
      vertex += n + 1;
      shape.startIndices[next] = vertex;
    }
  });
  return shape;
}

/** Writes both mesh vertices of a corner, `place` and the next, for `vertex`, whose miter starts at `from`. */
function writeSides(
  { places, miters, xy }: OutlineMesh,
  place: number,
  vertex: number,
  ofTile: Int16Array,
  from: number,
): void {
  const at = 2 * place;
  places[at] = places[at + 2] = xy[2 * vertex]!;
  places[at + 1] = places[at + 3] = xy[2 * vertex + 1]!;
  miters[at] = ofTile[from]!;
  miters[at + 1] = ofTile[from + 1]!;
  miters[at + 2] = -ofTile[from]!;
  miters[at + 3] = -ofTile[from + 1]!;
}

/** Writes two triangles from one corner to the next. */
function writeLine(lines: Uint32Array, at: number, here: number, after: number): void {
  lines[at] = here;
  lines[at + 1] = lines[at + 3] = here + 1;
  lines[at + 2] = lines[at + 4] = after;
  lines[at + 5] = after + 1;
}

const EVERYWHERE: Box = { minX: -Infinity, minY: -Infinity, maxX: Infinity, maxY: Infinity };

/** RGBA of each mesh vertex from the cells' colors (4 × nCells; alpha 0 = not drawn). O(mesh vertices). */
export function outlineColors(
  { length, startIndices, cells, places }: OutlineMesh,
  cellRgba: Uint8Array,
): Uint8Array {
  // One write per mesh vertex: the four components of a color as one number.
  const colors = new Uint32Array(places.length / 2);
  const ofCells = new Uint32Array(cellRgba.buffer, cellRgba.byteOffset, cellRgba.length / 4);
  for (let ring = 0; ring < length; ring++) {
    // Every preceding ring has one more vertex than corners.
    const from = 2 * (startIndices[ring]! - ring);
    colors.fill(ofCells[cells[ring]!]!, from, 2 * (startIndices[ring + 1]! - ring - 1));
  }
  return new Uint8Array(colors.buffer);
}

/** The closed outline of one cell, x, y of each vertex; undefined if it has none here. O(rings). */
export function outlineOf(shape: OutlineShape, cell: number): Float32Array | undefined {
  const ring = shape.cells.indexOf(cell);
  return ring < 0
    ? undefined
    : shape.xy.subarray(2 * shape.startIndices[ring]!, 2 * shape.startIndices[ring + 1]!);
}

/**
 * Whether a point is inside a ring (x, y of each vertex), that is, an odd number of edges are to its right. The last
 * vertex may repeat the first. O(vertices).
 */
export function isInside(ring: ArrayLike<number>, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    const x1 = ring[at]!;
    const y1 = ring[at + 1]!;
    const x2 = ring[next]!;
    const y2 = ring[next + 1]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
