import { boxOf, boxesThatMeet } from "./boxes.ts";
import { clippedRing } from "./clipped-ring.ts";
import { signedArea } from "./polygon-shape.ts";
import { segmentsOf } from "./segment-tree.ts";
import { uniteTile, type Cuts } from "./united-tile.ts";

/** So few points are united at once: the time grows with their square. */
const FEW = 64;
/** Cuts keep at least half of it away from points. */
const MIN_GAP = 1e-4;

/** What several polygons cover together. */
export interface UnitedPolygons {
  /** Square units; ground of several polygons counts once. */
  area: number;
  /** The border of that ground: x and y of both ends of each stretch, in no order. */
  border: Float64Array;
}

/** X and y alternating; outlines have a positive area, holes a negative one. */
type Ring = ArrayLike<number>;

/**
 * Measures polygons that may overlap or touch, and leaves them as they are. Those whose boxes meet are cut into tiles
 * of few points, which are united one by one. O(points · log² points)
 * @param polygons each an outline followed by its holes; x and y alternating, the last point joined to the first
 */
export function unitedPolygons(polygons: readonly (readonly Float64Array[])[]): UnitedPolygons {
  const meets = boxesThatMeet(polygons.map(([outline]) => boxOf(outline!)));
  const alone = polygons.filter((_, p) => !meets[p]);
  const together = polygons.filter((_, p) => meets[p]);
  const sum = (rings: readonly Ring[]): number =>
    rings.reduce((area, ring) => area + signedArea(ring), 0);
  const border: number[] = [];
  const area =
    alone.reduce((total, rings) => total + sum(turned(rings)), 0) +
    unite(together.flatMap(turned), [-Infinity, -Infinity, Infinity, Infinity], border);
  const own = segmentsOf(alone.flat());
  const all = new Float64Array(own.length + border.length);
  all.set(own);
  all.set(border, own.length);
  return { area, border: all };
}

/** The outline with a positive area, the holes with a negative one. */
function turned(rings: readonly Float64Array[]): Float64Array[] {
  return rings.map((ring, r) =>
    signedArea(ring) > 0 === (r === 0)
      ? ring
      : ring.map((_, at) => ring[ring.length - 2 - at + 2 * (at % 2)]!),
  );
}

/** The area of rings; their border is added to `border`. */
function unite(rings: readonly Ring[], cuts: Cuts, border: number[]): number {
  const points = rings.reduce((sum, { length }) => sum + length / 2, 0);
  const cut = points <= FEW ? null : cutOf(rings, points);
  if (!cut) return uniteTile(rings, cuts, border);
  const { axis, at } = cut;
  return ([1, -1] as const).reduce((area, sign) => {
    const half = rings
      .map((ring) => clippedRing(ring, axis, sign, sign * at))
      .filter(({ length }) => length > 0);
    const within: [number, number, number, number] = [...cuts];
    within[sign === 1 ? 2 + axis : axis] = at;
    return area + unite(half, within, border);
  }, 0);
}

/** The cut that crosses fewer edges: in the widest gap near the middle, so that no edge lies along it. Null: none helps. */
function cutOf(rings: readonly Ring[], points: number): { axis: 0 | 1; at: number } | null {
  let [fewest, cut]: [number, { axis: 0 | 1; at: number } | null] = [points / 2, null];
  for (const axis of [0, 1] as const) {
    const places = new Float64Array(points);
    let n = 0;
    for (const ring of rings) for (let p = axis; p < ring.length; p += 2) places[n++] = ring[p]!;
    places.sort();
    let [widest, at] = [MIN_GAP, NaN];
    for (let p = points >> 2; p < points - (points >> 2); p++) {
      const gap = places[p]! - places[p - 1]!;
      if (gap > widest) [widest, at] = [gap, (places[p]! + places[p - 1]!) / 2];
    }
    const crossed = Number.isNaN(at) ? Infinity : crossings(rings, axis, at);
    if (crossed < fewest) [fewest, cut] = [crossed, { axis, at }];
  }
  return cut;
}

function crossings(rings: readonly Ring[], axis: 0 | 1, at: number): number {
  let count = 0;
  for (const ring of rings) {
    for (let p = axis, q = ring.length - 2 + axis; p < ring.length; q = p, p += 2) {
      if (ring[p]! <= at !== ring[q]! <= at) count++;
    }
  }
  return count;
}
