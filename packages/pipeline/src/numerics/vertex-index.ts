import type { Polygons } from "../fields.ts";

/** The different points of rings. */
export interface Vertices {
  /** x and y of each vertex. */
  xy: Float32Array;
  /** The vertex of each point of the rings. */
  ids: Int32Array;
  /** 1 where borders meet: rings that pass the vertex go different ways from there. */
  meeting: Uint8Array;
}

/** Finds the points that rings share; equal coordinates are one vertex. O(points). */
export function indexVertices({ offsets, xy }: Polygons): Vertices {
  const nPoints = xy.length / 2;
  const bits = new Uint32Array(xy.buffer, xy.byteOffset, xy.length);
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * nPoints)));
  const table = new Int32Array(capacity).fill(-1);
  const ids = new Int32Array(nPoints);
  const first = new Int32Array(nPoints);
  let n = 0;
  for (let p = 0; p < nPoints; p++) {
    const [x, y] = [bits[2 * p], bits[2 * p + 1]];
    let slot = Math.imul(Math.imul(x, 0x9e3779b1) ^ (y + (x >>> 15)), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & (capacity - 1);
    while (table[slot] >= 0) {
      const q = first[table[slot]];
      if (bits[2 * q] === x && bits[2 * q + 1] === y) break;
      slot = (slot + 1) & (capacity - 1);
    }
    if (table[slot] < 0) {
      first[n] = p;
      table[slot] = n++;
    }
    ids[p] = table[slot];
  }
  return { xy: pointsAt(xy, first.subarray(0, n)), ids, meeting: meetings(offsets, ids, n) };
}

function pointsAt(xy: Float32Array, points: Int32Array): Float32Array {
  return Float32Array.from(
    { length: 2 * points.length },
    (_, i) => xy[2 * points[i >> 1] + (i & 1)],
  );
}

function meetings(offsets: Uint32Array, ids: Int32Array, n: number): Uint8Array {
  const meeting = new Uint8Array(n);
  const sides = new Int32Array(2 * n).fill(-1);
  for (let ring = 0; ring + 1 < offsets.length; ring++) {
    const [from, to] = [offsets[ring], offsets[ring + 1]];
    for (let p = from; p < to; p++) {
      const vertex = ids[p];
      const before = ids[p > from ? p - 1 : to - 1];
      const after = ids[p + 1 < to ? p + 1 : from];
      const [low, high] = before < after ? [before, after] : [after, before];
      if (sides[2 * vertex] < 0) {
        sides[2 * vertex] = low;
        sides[2 * vertex + 1] = high;
      } else if (sides[2 * vertex] !== low || sides[2 * vertex + 1] !== high) {
        meeting[vertex] = 1;
      }
    }
  }
  return meeting;
}
