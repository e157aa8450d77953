import { segmentsOf, treeOf } from "./segment-tree.ts";

/** So few segments are compared each with each: a tree would take longer. */
const FEW = 64;

/**
 * A point at which two segments of closed rings cross, or null. Neighbors in a ring may touch. O(n log n).
 * @param rings x and y alternating; the last point is joined to the first
 */
export function crossingOf(rings: readonly Float64Array[]): [x: number, y: number] | null {
  const given = segmentsOf(rings);
  const n = given.length / 4;
  if (n <= FEW) {
    for (let s = 0; s < n; s++) {
      const other = crossingIn(given, s, s + 1, n);
      if (other !== null) return meetingPoint(given, s, other);
    }
    return null;
  }
  const { ends, nodes } = treeOf(given);
  const { boxes, from, to, second } = nodes;
  const meeting = (s: number, node: number): number | null => {
    if (to[node]! <= s || !boxMeets(ends, s, boxes, node)) return null;
    if (second[node]! > 0) return meeting(s, node + 1) ?? meeting(s, second[node]!);
    return crossingIn(ends, s, Math.max(s + 1, from[node]!), to[node]!);
  };
  for (let s = 0; s < n; s++) {
    const other = meeting(s, 0);
    if (other !== null) return meetingPoint(ends, s, other);
  }
  return null;
}

/** The first of some segments whose inside crosses another's. */
function crossingIn(ends: Float64Array, s: number, from: number, to: number): number | null {
  for (let other = from; other < to; other++) {
    if (divides(ends, s, other) && divides(ends, other, s)) return other;
  }
  return null;
}

/** Whether the ends of another segment lie on different sides of a segment's line; not if one lies on it. */
function divides(ends: Float64Array, s: number, other: number): boolean {
  const [x, y] = [ends[4 * s]!, ends[4 * s + 1]!];
  const [dx, dy] = [ends[4 * s + 2]! - x, ends[4 * s + 3]! - y];
  const from = dx * (ends[4 * other + 1]! - y) - dy * (ends[4 * other]! - x);
  const to = dx * (ends[4 * other + 3]! - y) - dy * (ends[4 * other + 2]! - x);
  return (from < 0 && to > 0) || (from > 0 && to < 0);
}

function endsOf(ends: Float64Array, s: number): [number, number, number, number] {
  return [ends[4 * s]!, ends[4 * s + 1]!, ends[4 * s + 2]!, ends[4 * s + 3]!];
}

function boxMeets(ends: Float64Array, s: number, boxes: Float64Array, node: number): boolean {
  const [ax, ay, bx, by] = endsOf(ends, s);
  return (
    Math.max(ax, bx) >= boxes[4 * node]! &&
    Math.min(ax, bx) <= boxes[4 * node + 2]! &&
    Math.max(ay, by) >= boxes[4 * node + 1]! &&
    Math.min(ay, by) <= boxes[4 * node + 3]!
  );
}

function meetingPoint(ends: Float64Array, a: number, b: number): [number, number] {
  const [ax, ay, bx, by] = endsOf(ends, a);
  const [cx, cy, dx, dy] = endsOf(ends, b);
  const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
  return [ax + t * (bx - ax), ay + t * (by - ay)];
}
