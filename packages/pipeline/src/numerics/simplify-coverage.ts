import type { Polygons } from "../fields.ts";
import { VertexGrid } from "./vertex-grid.ts";
import { indexVertices, type Vertices } from "./vertex-index.ts";

/** A stretch of border between two junctions: ids of its vertices, the same for all rings along it. */
interface Arc {
  vertices: Int32Array;
  /** Positions in `vertices` that are kept. */
  kept: Int32Array;
}

/** The arcs around each ring, in order; ~arc if traversed backwards. */
type RingArcs = number[];

/**
 * Removes points from rings that share borders. No vertex moves, removed points lie within `tolerance` of the line
 * between the ones kept (Douglas & Peucker 1973), and rings that did not overlap still do not: a border is simplified
 * once for both its sides, and a line replaces a stretch only if no other vertex lies between the two, which keeps all
 * borders from crossing (de Berg, van Kreveld & Schirra 1998). The result for a border depends only on its
 * surroundings. A ring that would collapse keeps its points. O(n log n) for borders of bounded length.
 */
export function simplifyCoverage(rings: Polygons, tolerance: number): Polygons {
  const vertices = indexVertices(rings);
  const { arcs, ringArcs } = cutAtMeetings(rings, vertices);
  const grid = new VertexGrid(vertices.xy);
  for (const arc of arcs) arc.kept = keptOf(arc.vertices, tolerance, vertices.xy, grid);
  const points = (parts: RingArcs): number[] => ringPoints(parts, arcs, vertices.xy);
  for (const parts of ringArcs) {
    if (parts.length === 0 || holds(points(parts))) continue;
    for (const part of parts) {
      const arc = arcs[part < 0 ? ~part : part];
      arc.kept = Int32Array.from(arc.vertices.keys());
    }
  }
  const offsets = new Uint32Array(rings.offsets.length);
  const xy: number[][] = [];
  ringArcs.forEach((parts, ring) => {
    const simplified = points(parts);
    xy.push(simplified);
    offsets[ring + 1] = offsets[ring] + simplified.length / 2;
  });
  const flat = new Float32Array(2 * offsets[ringArcs.length]);
  xy.forEach((ring, i) => flat.set(ring, 2 * offsets[i]));
  return { offsets, xy: flat };
}

function cutAtMeetings(
  { offsets }: Polygons,
  { ids, meeting, xy }: Vertices,
): { arcs: Arc[]; ringArcs: RingArcs[] } {
  const found: FoundArcs = { arcs: [], numbers: new Map() };
  const ringArcs: RingArcs[] = [];
  for (let ring = 0; ring + 1 < offsets.length; ring++) {
    const own = ids.subarray(offsets[ring], offsets[ring + 1]);
    ringArcs.push(own.length === 0 ? [] : arcsOf(own, found, meeting, xy));
  }
  return { arcs: found.arcs, ringArcs };
}

interface FoundArcs {
  arcs: Arc[];
  /** Arc numbers by the first two vertices of the arc. */
  numbers: Map<number, number>;
}

function arcsOf(
  own: Int32Array,
  found: FoundArcs,
  meeting: Uint8Array,
  xy: Float32Array,
): RingArcs {
  const cuts = cutsOf(own, meeting, xy);
  return cuts.map((from, c) => {
    const next = cuts[(c + 1) % cuts.length];
    const stretch = new Int32Array((next > from ? next : next + own.length) - from + 1);
    for (let i = 0; i < stretch.length; i++) stretch[i] = own[(from + i) % own.length];
    return numberOf(stretch, found, xy);
  });
}

/** The arc of a stretch, added to the list if new; ~arc if the stretch runs backwards. */
function numberOf(stretch: Int32Array, { arcs, numbers }: FoundArcs, xy: Float32Array): number {
  const backwards = isBackwards(stretch, xy);
  const vertices = backwards ? stretch.toReversed() : stretch;
  const key = (vertices[0] * xy.length) / 2 + vertices[1];
  let number = numbers.get(key);
  if (number === undefined) {
    numbers.set(key, (number = arcs.length));
    arcs.push({ vertices, kept: new Int32Array(0) });
  }
  return backwards ? ~number : number;
}

/** Where a ring is cut: at its junctions; if it has fewer than two, also at its first and its farthest point. */
function cutsOf(own: Int32Array, meeting: Uint8Array, xy: Float32Array): number[] {
  const cuts: number[] = [];
  for (let i = 0; i < own.length; i++) if (meeting[own[i]] === 1) cuts.push(i);
  if (cuts.length > 1) return cuts;
  const first = cuts[0] ?? 0;
  let [far, most] = [first, -1];
  for (let i = 0; i < own.length; i++) {
    const distance =
      (xy[2 * own[i]] - xy[2 * own[first]]) ** 2 +
      (xy[2 * own[i] + 1] - xy[2 * own[first] + 1]) ** 2;
    if (distance > most) [far, most] = [i, distance];
  }
  return far === first ? [first] : [Math.min(first, far), Math.max(first, far)];
}

/** Gives every stretch one direction, whichever ring it comes from: its ends in order of y, then x. */
function isBackwards(stretch: Int32Array, xy: Float32Array): boolean {
  const last = stretch.length - 1;
  // A loop has only one end; the points next to it decide.
  const skip = stretch[0] === stretch[last] ? 1 : 0;
  const [a, b] = [stretch[skip], stretch[last - skip]];
  return xy[2 * b + 1] === xy[2 * a + 1] ? xy[2 * b] < xy[2 * a] : xy[2 * b + 1] < xy[2 * a + 1];
}

function keptOf(
  vertices: Int32Array,
  tolerance: number,
  xy: Float32Array,
  grid: VertexGrid,
): Int32Array {
  const last = vertices.length - 1;
  const kept = [0, last];
  const stack: [number, number][] = [[0, last]];
  for (let span = stack.pop(); span; span = stack.pop()) {
    const [from, to] = span;
    if (to - from < 2) continue;
    const { at, distance } = farthest(vertices, from, to, xy);
    if (distance === 0) continue;
    if (distance <= tolerance && !grid.anyBetween(vertices.subarray(from, to + 1), distance))
      continue;
    kept.push(at);
    stack.push([from, at], [at, to]);
  }
  return Int32Array.from(kept).sort();
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

function ringPoints(parts: RingArcs, arcs: readonly Arc[], xy: Float32Array): number[] {
  const points: number[] = [];
  for (const part of parts) {
    const { vertices, kept } = arcs[part < 0 ? ~part : part];
    // The last point of a stretch is the first of the next one.
    for (let k = 0; k < kept.length - 1; k++) {
      const vertex = vertices[kept[part < 0 ? kept.length - 1 - k : k]];
      points.push(xy[2 * vertex], xy[2 * vertex + 1]);
    }
  }
  return points;
}

/** Whether a ring still encloses an area. */
function holds(ring: readonly number[]): boolean {
  if (ring.length < 6) return false;
  let twice = 0;
  for (let p = 0, q = ring.length - 2; p < ring.length; q = p, p += 2) {
    twice +=
      (ring[q] - ring[0]) * (ring[p + 1] - ring[1]) - (ring[p] - ring[0]) * (ring[q + 1] - ring[1]);
  }
  return twice !== 0;
}
