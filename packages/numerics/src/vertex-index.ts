import type { Polygons } from "./matrices.ts";
import { inStretches } from "./in-stretches.ts";

/** The distinct points of rings. */
export interface Vertices {
  /** x and y of each vertex. */
  xy: Float32Array;
  /** The vertex of each point of the rings. */
  ids: Int32Array;
  /** 1 at junctions, where rings that share the vertex diverge. */
  meeting: Uint8Array;
}

/** Finds the points that rings share; points with equal coordinates are one vertex. O(points). */
export function indexVertices({ offsets, xy }: Polygons): Vertices {
  const nPoints = xy.length / 2;
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * nPoints)));
  const index: GrowingIndex = {
    bits: new Uint32Array(xy.buffer, xy.byteOffset, xy.length),
    table: new Int32Array(capacity).fill(-1),
    ids: new Int32Array(nPoints),
    first: new Int32Array(nPoints),
    n: 0,
  };
  inStretches(nPoints, (from, to) => addStretch(index, from, to));
  const { ids, first, n } = index;
  return { xy: pointsAt(xy, first.subarray(0, n)), ids, meeting: meetings(offsets, ids, n) };
}

interface GrowingIndex {
  /** Bits of the coordinates, compared for equality. */
  bits: Uint32Array;
  /** A hash table of vertices; −1 = free. Its length is a power of two. */
  table: Int32Array;
  /** Vertex of each point, and first point of each vertex. */
  ids: Int32Array;
  first: Int32Array;
  /** Vertices so far. */
  n: number;
}

function addStretch(index: GrowingIndex, from: number, to: number): void {
  const { bits, table, ids, first } = index;
  const last = table.length - 1;
  let { n } = index;
  for (let p = from; p < to; p++) {
    const [x, y] = [bits[2 * p], bits[2 * p + 1]];
    let slot = Math.imul(Math.imul(x, 0x9e3779b1) ^ (y + (x >>> 15)), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & last;
    while (table[slot] >= 0) {
      const q = first[table[slot]];
      if (bits[2 * q] === x && bits[2 * q + 1] === y) break;
      slot = (slot + 1) & last;
    }
    if (table[slot] < 0) {
      first[n] = p;
      table[slot] = n++;
    }
    ids[p] = table[slot];
  }
  index.n = n;
}

function pointsAt(xy: Float32Array, points: Int32Array): Float32Array {
  const out = new Float32Array(2 * points.length);
  for (let v = 0; v < points.length; v++) {
    out[2 * v] = xy[2 * points[v]];
    out[2 * v + 1] = xy[2 * points[v] + 1];
  }
  return out;
}

function meetings(offsets: Uint32Array, ids: Int32Array, n: number): Uint8Array {
  const meeting = new Uint8Array(n);
  const sides = new Int32Array(2 * n).fill(-1);
  for (let ring = 0; ring + 1 < offsets.length; ring++) {
    walk(ids.subarray(offsets[ring], offsets[ring + 1]), sides, meeting);
  }
  return meeting;
}

/** Records the neighbors of each vertex on a ring, and marks where they differ from those on earlier rings. */
function walk(ring: Int32Array, sides: Int32Array, meeting: Uint8Array): void {
  const last = ring.length - 1;
  for (let p = 0; p <= last; p++) {
    const vertex = ring[p];
    const before = ring[p > 0 ? p - 1 : last];
    const after = ring[p < last ? p + 1 : 0];
    const low = Math.min(before, after);
    const high = Math.max(before, after);
    if (sides[2 * vertex] < 0) {
      sides[2 * vertex] = low;
      sides[2 * vertex + 1] = high;
    } else if (sides[2 * vertex] !== low || sides[2 * vertex + 1] !== high) {
      meeting[vertex] = 1;
    }
  }
}
