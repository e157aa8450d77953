/** Segments per leaf: below it, going through them is quicker than descending further. */
const LEAF = 4;

/** The closed rings of a shape, for finding what lies near a point. */
export interface SegmentTree {
  /** Distance from a point to the nearest segment. O(log n) for points near the shape. */
  distance(x: number, y: number): number;
  /** A point at which two segments cross or overlap, or null. Neighbors in a ring may touch. O(n log n). */
  crossing(): [x: number, y: number] | null;
}

/**
 * A tree of the segments' bounding boxes, halved by position until few remain. O(n log² n) to build.
 * @param rings x and y alternating; the last point is joined to the first
 */
export function segmentTree(rings: readonly Float64Array[]): SegmentTree {
  const ends = segmentsOf(rings);
  const n = ends.length / 4;
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const boxes: number[] = [];
  // Node: first and last segment in `order`, and the second child (the first follows its parent); 0 = leaf.
  const nodes: { from: number; to: number; second: number }[] = [];
  const build = (from: number, to: number): number => {
    const at = nodes.length;
    const [x0, y0, x1, y1] = boxOf(ends, order, from, to);
    boxes.push(x0, y0, x1, y1);
    nodes.push({ from, to, second: 0 });
    if (to - from <= LEAF) return at;
    const axis = x1 - x0 > y1 - y0 ? 0 : 1;
    const middle = (s: number): number => ends[4 * s + axis]! + ends[4 * s + 2 + axis]!;
    order.subarray(from, to).sort((a, b) => middle(a) - middle(b));
    const half = (from + to) >> 1;
    build(from, half);
    nodes[at]!.second = build(half, to);
    return at;
  };
  if (n > 0) build(0, n);
  const beyond = (node: number, x: number, y: number): number => {
    const dx = Math.max(boxes[4 * node]! - x, 0, x - boxes[4 * node + 2]!);
    const dy = Math.max(boxes[4 * node + 1]! - y, 0, y - boxes[4 * node + 3]!);
    return dx * dx + dy * dy;
  };
  return {
    distance(x, y) {
      let best = Infinity;
      const visit = (node: number, least: number): void => {
        if (least >= best) return;
        const { from, to, second } = nodes[node]!;
        if (second === 0) {
          for (let k = from; k < to; k++) best = Math.min(best, toSegment(ends, order[k]!, x, y));
          return;
        }
        const [a, b] = [beyond(node + 1, x, y), beyond(second, x, y)];
        if (a < b) {
          visit(node + 1, a);
          visit(second, b);
        } else {
          visit(second, b);
          visit(node + 1, a);
        }
      };
      if (n > 0) visit(0, beyond(0, x, y));
      return Math.sqrt(best);
    },
    crossing() {
      const meeting = (s: number, node: number): [number, number] | null => {
        if (!boxMeets(ends, s, boxes, node)) return null;
        const { from, to, second } = nodes[node]!;
        if (second > 0) return meeting(s, node + 1) ?? meeting(s, second);
        for (let k = from; k < to; k++) {
          const other = order[k]!;
          if (other > s && crosses(ends, s, other)) return meetingPoint(ends, s, other);
        }
        return null;
      };
      for (let s = 0; s < n; s++) {
        const found = meeting(s, 0);
        if (found) return found;
      }
      return null;
    },
  };
}

/** x, y of both ends of each segment; segments without length are left out. */
function segmentsOf(rings: readonly Float64Array[]): Float64Array {
  const ends: number[] = [];
  for (const ring of rings) {
    for (let p = 0; p < ring.length; p += 2) {
      const q = (p + 2) % ring.length;
      if (ring[p]! !== ring[q]! || ring[p + 1]! !== ring[q + 1]!) {
        ends.push(ring[p]!, ring[p + 1]!, ring[q]!, ring[q + 1]!);
      }
    }
  }
  return Float64Array.from(ends);
}

function boxOf(
  ends: Float64Array,
  order: Uint32Array,
  from: number,
  to: number,
): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = from; k < to; k++) {
    for (let e = 4 * order[k]!; e < 4 * order[k]! + 4; e += 2) {
      x0 = Math.min(x0, ends[e]!);
      x1 = Math.max(x1, ends[e]!);
      y0 = Math.min(y0, ends[e + 1]!);
      y1 = Math.max(y1, ends[e + 1]!);
    }
  }
  return [x0, y0, x1, y1];
}

function endsOf(ends: Float64Array, s: number): [number, number, number, number] {
  return [ends[4 * s]!, ends[4 * s + 1]!, ends[4 * s + 2]!, ends[4 * s + 3]!];
}

/** Squared distance from a point to a segment. */
function toSegment(ends: Float64Array, s: number, x: number, y: number): number {
  const [ax, ay] = [ends[4 * s]!, ends[4 * s + 1]!];
  const [dx, dy] = [ends[4 * s + 2]! - ax, ends[4 * s + 3]! - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const t = Math.max(0, Math.min(1, along));
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
}

function boxMeets(ends: Float64Array, s: number, boxes: readonly number[], node: number): boolean {
  const [ax, ay, bx, by] = endsOf(ends, s);
  return (
    Math.max(ax, bx) >= boxes[4 * node]! &&
    Math.min(ax, bx) <= boxes[4 * node + 2]! &&
    Math.max(ay, by) >= boxes[4 * node + 1]! &&
    Math.min(ay, by) <= boxes[4 * node + 3]!
  );
}

/** Whether the insides of two segments cross. Segments that only touch do not. */
function crosses(ends: Float64Array, a: number, b: number): boolean {
  const side = (s: number, x: number, y: number): number =>
    Math.sign(
      (ends[4 * s + 2]! - ends[4 * s]!) * (y - ends[4 * s + 1]!) -
        (ends[4 * s + 3]! - ends[4 * s + 1]!) * (x - ends[4 * s]!),
    );
  const of = (s: number, other: number): number =>
    side(s, ends[4 * other]!, ends[4 * other + 1]!) *
    side(s, ends[4 * other + 2]!, ends[4 * other + 3]!);
  return of(a, b) < 0 && of(b, a) < 0;
}

function meetingPoint(ends: Float64Array, a: number, b: number): [number, number] {
  const [ax, ay, bx, by] = endsOf(ends, a);
  const [cx, cy, dx, dy] = endsOf(ends, b);
  const cross = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / cross;
  return [ax + t * (bx - ax), ay + t * (by - ay)];
}
