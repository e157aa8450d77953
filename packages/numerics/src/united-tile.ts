/** Distances below it, in units of the coordinates, are rounding. */
const SAME = 1e-6;

/** Where polygons were cut: least x, least y, most x, most y. */
export type Cuts = readonly [number, number, number, number];

/** A slanting edge, from its upper end (less y) to its lower one. */
interface Edge {
  x: number;
  top: number;
  bottom: number;
  /** Change of x for each unit of y. */
  slope: number;
  /** Polygons that begin at it, going right: −1 where one ends. */
  turn: number;
  /** The last stretch of it that is border. */
  from: number;
  to: number;
}

/**
 * Unites rings by going down between the heights at which edges begin, end, or cross. Returns the area; the border, but
 * for what runs along cuts, is added to `border` as x and y of both ends of each stretch. O(edges² + heights · edges)
 * @param rings x and y alternating; outlines have a positive area, holes a negative one
 */
export function uniteTile(
  rings: readonly ArrayLike<number>[],
  cuts: Cuts,
  border: number[],
): number {
  const edges = edgesOf(rings);
  const heights = [...edges.flatMap(({ top, bottom }) => [top, bottom]), ...crossings(edges)];
  heights.sort((a, b) => a - b);
  let [area, above]: [number, number[]] = [0, []];
  let top = heights[0] ?? 0;
  const addLevel = (below: number[]): void => {
    if (Math.abs(top - cuts[1]) < SAME || Math.abs(top - cuts[3]) < SAME) return;
    // Between two places in order, just one of above and below is inside.
    const places = [...above, ...below].sort((a, b) => a - b);
    for (let p = 0; p < places.length; p += 2) {
      const [left, right] = [places[p]!, places[p + 1]!];
      if (right - left > SAME) border.push(left, top, right, top);
    }
  };
  for (const bottom of heights) {
    if (bottom - top < SAME / 1e3) continue;
    const sides = sidesAt(edges, (top + bottom) / 2);
    addLevel(sides.map((edge) => xAt(edge, top)));
    sides.forEach((edge, s) => {
      area += (s % 2 === 0 ? -1 : 1) * (bottom - top) * xAt(edge, (top + bottom) / 2);
      if (edge.to < top) {
        addStretch(edge, cuts, border);
        edge.from = top;
      }
      edge.to = bottom;
    });
    above = sides.map((edge) => xAt(edge, bottom));
    top = bottom;
  }
  addLevel([]);
  for (const edge of edges) addStretch(edge, cuts, border);
  return area;
}

function edgesOf(rings: readonly ArrayLike<number>[]): Edge[] {
  const edges: Edge[] = [];
  for (const xy of rings) {
    for (let p = 0, q = xy.length - 2; p < xy.length; q = p, p += 2) {
      const [a, b] = xy[q + 1]! < xy[p + 1]! ? [q, p] : [p, q];
      const [top, bottom] = [xy[a + 1]!, xy[b + 1]!];
      if (bottom - top < SAME / 1e3) continue;
      const slope = (xy[b]! - xy[a]!) / (bottom - top);
      edges.push({ x: xy[a]!, top, bottom, slope, turn: a === p ? 1 : -1, from: 0, to: -Infinity });
    }
  }
  return edges;
}

function xAt({ x, top, slope }: Edge, y: number): number {
  return x + (y - top) * slope;
}

/** Heights at which edges cross. */
function crossings(edges: readonly Edge[]): number[] {
  const heights: number[] = [];
  edges.forEach((a, at) => {
    for (let other = 0; other < at; other++) {
      const b = edges[other]!;
      const [top, bottom] = [Math.max(a.top, b.top), Math.min(a.bottom, b.bottom)];
      if (top >= bottom) continue;
      const [before, after] = [xAt(a, top) - xAt(b, top), xAt(a, bottom) - xAt(b, bottom)];
      if (before * after < 0) heights.push(top + (before / (before - after)) * (bottom - top));
    }
  });
  return heights;
}

/** Edges at a height behind which the ground begins and ends, by turns. */
function sidesAt(edges: readonly Edge[], y: number): Edge[] {
  const met = edges
    .filter(({ top, bottom }) => top < y && bottom > y)
    .map((edge) => ({ edge, x: xAt(edge, y) }))
    .sort((a, b) => a.x - b.x);
  const sides: Edge[] = [];
  for (let first = 0, next = 0, inside = 0; first < met.length; first = next) {
    const before = inside;
    // Edges along each other count as one.
    while (next < met.length && met[next]!.x - met[first]!.x < SAME) {
      inside += met[next]!.edge.turn;
      next++;
    }
    if (before > 0 !== inside > 0) sides.push(met[first]!.edge);
  }
  return sides;
}

function addStretch(edge: Edge, cuts: Cuts, border: number[]): void {
  const { from, to } = edge;
  if (to === -Infinity) return;
  const [x, end] = [xAt(edge, from), xAt(edge, to)];
  const isCut = [cuts[0], cuts[2]].some(
    (at) => Math.abs(x - at) < SAME && Math.abs(end - at) < SAME,
  );
  if (!isCut) border.push(x, from, end, to);
}
