/** Segments per leaf: below it, going through them is quicker than descending further. */
const LEAF = 4;

/** Segments, for finding what lies near a point. */
export interface SegmentTree {
  /** Distance from a point to the nearest segment. O(log n) for points near the shape. */
  distance(x: number, y: number): number;
}

/** Nodes in the order in which they are built; the first child follows its parent. */
export interface Nodes {
  /** Left, top, right, bottom of each. */
  boxes: Float64Array;
  /** First and last segment, and the second child; 0 = leaf. */
  from: Int32Array;
  to: Int32Array;
  second: Int32Array;
}

/**
 * A tree of the segments' bounding boxes, halved by position until few remain. O(n log n) to build.
 * @param segments x and y of both ends of each
 */
export function segmentTree(segments: Float64Array): SegmentTree {
  const { ends, nodes } = treeOf(segments);
  const { boxes, from, to, second } = nodes;
  const n = ends.length / 4;
  const beyond = (node: number, x: number, y: number): number => {
    const dx = Math.max(boxes[4 * node]! - x, 0, x - boxes[4 * node + 2]!);
    const dy = Math.max(boxes[4 * node + 1]! - y, 0, y - boxes[4 * node + 3]!);
    return dx * dx + dy * dy;
  };
  // Nodes still to be searched, and their least distances. The tree is far less deep.
  const [waiting, least] = [new Int32Array(64), new Float64Array(64)];
  /** Where the last answer was: the next point is often near it. */
  let last = 0;
  return {
    distance(x, y) {
      if (n === 0) return Infinity;
      let best = toSegment(ends, last, x, y);
      let size = 1;
      waiting[0] = 0;
      least[0] = beyond(0, x, y);
      while (size > 0) {
        size -= 1;
        const node = waiting[size]!;
        if (least[size]! >= best) continue;
        const other = second[node]!;
        if (other === 0) {
          for (let s = from[node]!; s < to[node]!; s++) {
            const away = toSegment(ends, s, x, y);
            if (away < best) [best, last] = [away, s];
          }
          continue;
        }
        const [a, b] = [beyond(node + 1, x, y), beyond(other, x, y)];
        // The nearer one is searched first.
        const [far, near] = a < b ? [other, node + 1] : [node + 1, other];
        waiting[size] = far;
        least[size++] = Math.max(a, b);
        waiting[size] = near;
        least[size++] = Math.min(a, b);
      }
      return Math.sqrt(best);
    },
  };
}

/** The tree's nodes, and its segments in the order of its leaves. O(n log n) */
export function treeOf(given: Float64Array): { ends: Float64Array; nodes: Nodes } {
  const n = given.length / 4;
  const most = 2 * Math.max(1, n);
  const nodes: Nodes = {
    boxes: new Float64Array(4 * most),
    from: new Int32Array(most),
    to: new Int32Array(most),
    second: new Int32Array(most),
  };
  const order = new Uint32Array(n);
  const [across, down] = [new Float64Array(n), new Float64Array(n)];
  for (let s = 0; s < n; s++) {
    order[s] = s;
    across[s] = given[4 * s]! + given[4 * s + 2]!;
    down[s] = given[4 * s + 1]! + given[4 * s + 3]!;
  }
  let count = 0;
  const build = (from: number, to: number): number => {
    const at = count++;
    nodes.from[at] = from;
    nodes.to[at] = to;
    const box = boxOf(given, order, from, to);
    nodes.boxes.set(box, 4 * at);
    if (to - from <= LEAF) return at;
    const half = (from + to) >> 1;
    halve(order, box[2] - box[0] > box[3] - box[1] ? across : down, from, to - 1, half);
    build(from, half);
    nodes.second[at] = build(half, to);
    return at;
  };
  if (n > 0) build(0, n);
  const ends = new Float64Array(given.length);
  order.forEach((s, at) => ends.set(given.subarray(4 * s, 4 * s + 4), 4 * at));
  return { ends, nodes };
}

/** Puts the smallest keys of a stretch before `half`, the largest from there on (Hoare 1961). O(n) on average. */
function halve(
  order: Uint32Array,
  keys: Float64Array,
  first: number,
  final: number,
  half: number,
): void {
  let [low, high] = [first, final];
  while (low < high) {
    const pivot = keys[order[(low + high) >> 1]!]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (keys[order[i]!]! < pivot) i++;
      while (keys[order[j]!]! > pivot) j--;
      if (i > j) break;
      const held = order[i]!;
      order[i++] = order[j]!;
      order[j--] = held;
    }
    if (half <= j) high = j;
    else if (half >= i) low = i;
    else return;
  }
}

/** x, y of both ends of each segment; segments without length are left out. */
export function segmentsOf(rings: readonly Float64Array[]): Float64Array {
  const ends = new Float64Array(2 * rings.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const ring of rings) {
    for (let p = 0; p < ring.length; p += 2) {
      const q = (p + 2) % ring.length;
      if (ring[p]! === ring[q]! && ring[p + 1]! === ring[q + 1]!) continue;
      ends[at++] = ring[p]!;
      ends[at++] = ring[p + 1]!;
      ends[at++] = ring[q]!;
      ends[at++] = ring[q + 1]!;
    }
  }
  return ends.subarray(0, at);
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

/** Squared distance from a point to a segment. */
function toSegment(ends: Float64Array, s: number, x: number, y: number): number {
  const [ax, ay] = [ends[4 * s]!, ends[4 * s + 1]!];
  const [dx, dy] = [ends[4 * s + 2]! - ax, ends[4 * s + 3]! - ay];
  const along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
  const t = Math.max(0, Math.min(1, along));
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2;
}
