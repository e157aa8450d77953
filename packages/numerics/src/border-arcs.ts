import type { Polygons } from "./matrices.ts";
import type { Vertices } from "./vertex-index.ts";

/**
 * Stretches of border between two junctions, each stored once for all rings along it. Flat, because a slide has a
 * million of them: a typed array each would take several times the memory of the points.
 */
export interface BorderArcs {
  n: number;
  /** Vertices of arc a: vertices[starts[a]] to vertices[starts[a + 1] − 1]. */
  starts: Int32Array;
  vertices: Int32Array;
  /** Arcs around ring r, in order: parts[ringStarts[r]] to parts[ringStarts[r + 1] − 1]; ~arc if traversed backward. */
  ringStarts: Int32Array;
  parts: Int32Array;
}

/** Cuts rings at their junctions. O(points). */
export function borderArcs({ offsets }: Polygons, { ids, meeting, xy }: Vertices): BorderArcs {
  const nRings = offsets.length - 1;
  let maxParts = 2 * nRings;
  for (const id of ids) maxParts += meeting[id];
  const arcs: GrowingArcs = {
    n: 0,
    starts: new Int32Array(maxParts + 1),
    vertices: new Int32Array(ids.length + maxParts),
    ringStarts: new Int32Array(nRings + 1),
    parts: new Int32Array(maxParts),
    numbers: new Map(),
  };
  const cuts: number[] = [];
  for (let ring = 0; ring < nRings; ring++) {
    const own = ids.subarray(offsets[ring], offsets[ring + 1]);
    let at = arcs.ringStarts[ring];
    if (own.length > 0) {
      findCuts(own, meeting, xy, cuts);
      for (let c = 0; c < cuts.length; c++, at++) {
        arcs.parts[at] = numberOf(own, cuts[c], cuts[(c + 1) % cuts.length], arcs, xy);
      }
    }
    arcs.ringStarts[ring + 1] = at;
  }
  const { numbers: _numbers, ...found } = arcs;
  return found;
}

interface GrowingArcs extends BorderArcs {
  /** Arc numbers by the first two vertices of the arc. */
  numbers: Map<number, number>;
}

/** Where a ring is cut: at its junctions; if it has fewer than two, also at its first and its farthest point. */
function findCuts(own: Int32Array, meeting: Uint8Array, xy: Float32Array, cuts: number[]): void {
  cuts.length = 0;
  for (let i = 0; i < own.length; i++) if (meeting[own[i]] === 1) cuts.push(i);
  if (cuts.length > 1) return;
  const first = cuts[0] ?? 0;
  let [far, most] = [first, -1];
  for (let i = 0; i < own.length; i++) {
    const distance =
      (xy[2 * own[i]] - xy[2 * own[first]]) ** 2 +
      (xy[2 * own[i] + 1] - xy[2 * own[first] + 1]) ** 2;
    if (distance > most) [far, most] = [i, distance];
  }
  cuts[0] = Math.min(first, far);
  if (far !== first) cuts[1] = Math.max(first, far);
}

/** The arc of a ring's stretch, added if new; ~arc if the stretch runs backward. */
function numberOf(
  own: Int32Array,
  from: number,
  next: number,
  arcs: GrowingArcs,
  xy: Float32Array,
): number {
  const length = (next > from ? next : next + own.length) - from + 1;
  const backwards = isBackwards(own, from, length, xy);
  const { vertices, starts, numbers, n } = arcs;
  const start = starts[n];
  for (let i = 0; i < length; i++) {
    vertices[start + i] = own[(from + (backwards ? length - 1 - i : i)) % own.length];
  }
  const key = (vertices[start] * xy.length) / 2 + vertices[start + 1];
  let number = numbers.get(key);
  if (number === undefined) {
    numbers.set(key, (number = n));
    starts[n + 1] = start + length;
    arcs.n = n + 1;
  }
  return backwards ? ~number : number;
}

/** Gives every stretch one direction, whichever ring it comes from: its ends in order of y, then x. */
function isBackwards(own: Int32Array, from: number, length: number, xy: Float32Array): boolean {
  const vertex = (i: number): number => own[(from + i) % own.length];
  const last = length - 1;
  // A loop has only one end; the points next to it decide.
  const skip = vertex(0) === vertex(last) ? 1 : 0;
  const [a, b] = [vertex(skip), vertex(last - skip)];
  return xy[2 * b + 1] === xy[2 * a + 1] ? xy[2 * b] < xy[2 * a] : xy[2 * b + 1] < xy[2 * a + 1];
}
