import type { Polygons } from "./matrices.ts";
import { borderArcs, type BorderArcs } from "./border-arcs.ts";
import { VertexGrid } from "./vertex-grid.ts";
import { indexVertices } from "./vertex-index.ts";

/** The arcs, and which of their vertices are kept (1), parallel to `vertices`. */
interface SimplifiedArcs extends BorderArcs {
  kept: Uint8Array;
}

/**
 * Removes points from rings that share borders. No vertex moves, removed points lie within `tolerance` of the line
 * between the ones kept (Douglas & Peucker 1973), and rings that did not overlap still do not: a border is simplified
 * once for both its sides, and a line replaces a stretch only if no other vertex lies between the two, which keeps all
 * borders from crossing (de Berg, van Kreveld & Schirra 1998). The result for a border depends only on its
 * surroundings. A ring that would collapse keeps its points. O(n log n) for borders of bounded length.
 */
export function simplifyCoverage(rings: Polygons, tolerance: number): Polygons {
  const vertices = indexVertices(rings);
  const { xy } = vertices;
  const found = borderArcs(rings, vertices);
  const arcs = { ...found, kept: new Uint8Array(found.starts[found.n]) };
  const grid = new VertexGrid(xy);
  for (let arc = 0; arc < arcs.n; arc++) simplifyArc(arcs, arc, tolerance, xy, grid);
  const nRings = rings.offsets.length - 1;
  // No ring gains points.
  const points = new Float32Array(rings.xy.length);
  for (let ring = 0; ring < nRings; ring++) {
    if (arcs.ringStarts[ring] === arcs.ringStarts[ring + 1]) continue;
    if (!holds(points, putRing(arcs, ring, xy, points, 0))) keepWhole(arcs, ring);
  }
  const offsets = new Uint32Array(nRings + 1);
  for (let ring = 0; ring < nRings; ring++) {
    offsets[ring + 1] = putRing(arcs, ring, xy, points, 2 * offsets[ring]) / 2;
  }
  return { offsets, xy: points.slice(0, 2 * offsets[nRings]) };
}

/** Marks the vertices of an arc that are kept. */
function simplifyArc(
  { starts, vertices, kept }: SimplifiedArcs,
  arc: number,
  tolerance: number,
  xy: Float32Array,
  grid: VertexGrid,
): void {
  const [first, last] = [starts[arc], starts[arc + 1] - 1];
  kept[first] = kept[last] = 1;
  const stack: [number, number][] = [[first, last]];
  for (let span = stack.pop(); span; span = stack.pop()) {
    const [from, to] = span;
    if (to - from < 2) continue;
    const { at, distance } = farthest(vertices, from, to, xy);
    if (distance === 0) continue;
    if (distance <= tolerance && !grid.anyBetween(vertices.subarray(from, to + 1), distance))
      continue;
    kept[at] = 1;
    stack.push([from, at], [at, to]);
  }
}

/** The vertex between two vertices of a stretch that lies farthest from the segment between them. */
function farthest(
  vertices: Int32Array,
  from: number,
  to: number,
  xy: Float32Array,
): { at: number; distance: number } {
  const [ax, ay] = [xy[2 * vertices[from]], xy[2 * vertices[from] + 1]];
  const [dx, dy] = [xy[2 * vertices[to]] - ax, xy[2 * vertices[to] + 1] - ay];
  const length2 = dx * dx + dy * dy;
  let [at, most] = [from + 1, 0];
  for (let i = from + 1; i < to; i++) {
    const [px, py] = [xy[2 * vertices[i]] - ax, xy[2 * vertices[i] + 1] - ay];
    const t = length2 > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy) / length2)) : 0;
    const distance2 = (px - t * dx) ** 2 + (py - t * dy) ** 2;
    if (distance2 > most) [at, most] = [i, distance2];
  }
  return { at, distance: Math.sqrt(most) };
}

/** Keeps all vertices of a ring's arcs. */
function keepWhole({ starts, kept, ringStarts, parts }: SimplifiedArcs, ring: number): void {
  for (let p = ringStarts[ring]; p < ringStarts[ring + 1]; p++) {
    const arc = parts[p] < 0 ? ~parts[p] : parts[p];
    kept.fill(1, starts[arc], starts[arc + 1]);
  }
}

/** Writes a ring's kept points to `points` from position `to`; returns the position after them. */
function putRing(
  { starts, vertices, kept, ringStarts, parts }: SimplifiedArcs,
  ring: number,
  xy: Float32Array,
  points: Float32Array,
  to: number,
): number {
  for (let p = ringStarts[ring]; p < ringStarts[ring + 1]; p++) {
    const backwards = parts[p] < 0;
    const arc = backwards ? ~parts[p] : parts[p];
    const [first, last] = [starts[arc], starts[arc + 1] - 1];
    // The last point of a stretch is the first of the next one.
    for (let i = 0; i < last - first; i++) {
      const at = backwards ? last - i : first + i;
      if (kept[at] === 0) continue;
      points[to++] = xy[2 * vertices[at]];
      points[to++] = xy[2 * vertices[at] + 1];
    }
  }
  return to;
}

/** Whether the ring of the first `length` numbers still encloses an area. */
function holds(ring: Float32Array, length: number): boolean {
  if (length < 6) return false;
  let twice = 0;
  for (let p = 0, q = length - 2; p < length; q = p, p += 2) {
    twice +=
      (ring[q] - ring[0]) * (ring[p + 1] - ring[1]) - (ring[p] - ring[0]) * (ring[q + 1] - ring[1]);
  }
  return twice !== 0;
}
