import { earcut } from "@math.gl/polygon";
import type { Box } from "../geometry/point-grid.ts";
import type { PolygonTile } from "../source/polygon-tiles.ts";

/** Precomputed geometry of a tile's rings, so that a view of some of them only has to copy it. */
export interface TileMesh {
  /** Bounding box of each ring: minX, minY, maxX, maxY. */
  bounds: Float32Array;
  /**
   * x, y per vertex: offset from the vertex to the outer corner of a line of half-width 1 along the ring, as a fraction
   * of {@link LONGEST_MITER}.
   */
  miters: Int16Array;
  /**
   * Vertices of the triangles that fill ring i, relative to its first vertex: `triangles[triangleStarts[i]]` up to
   * `triangleStarts[i + 1]`.
   */
  triangles: Uint16Array | Uint32Array;
  triangleStarts: Uint32Array;
}

/** Miter limit: maximum miter length at sharp corners, in half-widths. */
export const LONGEST_MITER = 2;
const PARTS = 32_767 / LONGEST_MITER;

const meshes = new WeakMap<PolygonTile, TileMesh>();

/**
 * The mesh of a tile, cached with it. O(vertices) for convex rings.
 * @param fill triangles of a ring, relative to its first vertex
 */
export function meshOf(
  tile: PolygonTile,
  fill: (corners: Float32Array, ring: number) => readonly number[] = ringTriangles,
): TileMesh {
  let mesh = meshes.get(tile);
  if (!mesh) meshes.set(tile, (mesh = tileMesh(tile, fill)));
  return mesh;
}

function tileMesh(
  { starts, xy }: PolygonTile,
  fill: (corners: Float32Array, ring: number) => readonly number[],
): TileMesh {
  const rings = starts.length - 1;
  const bounds = new Float32Array(4 * rings);
  const miters = new Int16Array(xy.length);
  const triangles: number[] = [];
  const triangleStarts = new Uint32Array(rings + 1);
  for (let ring = 0; ring < rings; ring++) {
    const corners = xy.subarray(2 * starts[ring]!, 2 * starts[ring + 1]!);
    writeBounds(corners, bounds.subarray(4 * ring, 4 * ring + 4));
    writeMiters(corners, miters.subarray(2 * starts[ring]!, 2 * starts[ring + 1]!));
    for (const corner of fill(corners, ring)) triangles.push(corner);
    triangleStarts[ring + 1] = triangles.length;
  }
  const Indices = xy.length / 2 > 1 << 16 ? Uint32Array : Uint16Array;
  return { bounds, miters, triangles: Indices.from(triangles), triangleStarts };
}

export function ringMeets(bounds: Float32Array, ring: number, box: Box): boolean {
  return (
    bounds[4 * ring]! <= box.maxX &&
    bounds[4 * ring + 1]! <= box.maxY &&
    bounds[4 * ring + 2]! >= box.minX &&
    bounds[4 * ring + 3]! >= box.minY
  );
}

function writeBounds(corners: Float32Array, into: Float32Array): void {
  into.set([Infinity, Infinity, -Infinity, -Infinity]);
  for (let at = 0; at < corners.length; at += 2) {
    const x = corners[at]!;
    const y = corners[at + 1]!;
    if (x < into[0]!) into[0] = x;
    if (y < into[1]!) into[1] = y;
    if (x > into[2]!) into[2] = x;
    if (y > into[3]!) into[3] = y;
  }
}

/** The mean of the normals of a vertex's two edges, scaled so that the line keeps its width. */
function writeMiters(corners: Float32Array, into: Int16Array): void {
  const n = corners.length / 2;
  for (let corner = 0; corner < n; corner++) {
    const [inX, inY] = direction(corners, (corner + n - 1) % n, corner);
    const [outX, outY] = direction(corners, corner, (corner + 1) % n);
    const x = -inY - outY;
    const y = inX + outX;
    const square = x * x + y * y;
    if (square === 0) continue;
    // Two unit normals of sum s meet at s · 2 / |s|².
    const length = Math.min(2 / square, LONGEST_MITER / Math.sqrt(square));
    into[2 * corner] = Math.round(x * length * PARTS);
    into[2 * corner + 1] = Math.round(y * length * PARTS);
  }
}

/** Unit vector from one vertex to another; zero if they coincide. */
function direction(corners: Float32Array, from: number, to: number): [number, number] {
  const x = corners[2 * to]! - corners[2 * from]!;
  const y = corners[2 * to + 1]! - corners[2 * from + 1]!;
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 0] : [x / length, y / length];
}

/** Triangulates a ring (x, y of each vertex, not closed): three vertices per triangle. */
export function ringTriangles(corners: Float32Array): number[] {
  const n = corners.length / 2;
  if (n < 3) return [];
  if (!isConvex(corners)) return earcut(corners);
  const triangles: number[] = [];
  for (let corner = 2; corner < n; corner++) triangles.push(0, corner - 1, corner);
  return triangles;
}

/** Whether the ring turns in only one direction and goes around once. */
function isConvex(corners: Float32Array): boolean {
  const n = corners.length / 2;
  let turns = 0;
  let sign = 0;
  let [lastX, lastY] = direction(corners, n - 1, 0);
  for (let corner = 0; corner < n; corner++) {
    const [x, y] = direction(corners, corner, (corner + 1) % n);
    if (x === 0 && y === 0) continue;
    const cross = lastX * y - lastY * x;
    if (cross !== 0 && sign !== 0 && cross > 0 !== sign > 0) return false;
    if (cross !== 0) sign = cross;
    turns += Math.abs(Math.atan2(cross, lastX * x + lastY * y));
    [lastX, lastY] = [x, y];
  }
  return turns < 2 * Math.PI + 0.01;
}
