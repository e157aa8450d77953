import {
  ClipType,
  EndType,
  FillRule,
  JoinType,
  PolyTreeD,
  booleanOpDWithPolyTree,
  inflatePathsD,
  type PathsD,
} from "clipper2-ts";
import { shapeArea, turnedRings } from "../geometry/shape.ts";
import { pathsOf, PLACES, shapeOf } from "./combine-shapes.ts";

/** A straight line between two points: x, y, x, y. */
export type Line = readonly [number, number, number, number];

/** Pieces below this area are crumbs of a cut, square units. */
const MIN_PIECE = 4;

/** Whether a line goes right through a ring: in and out again. */
export function goesThrough([ax, ay, bx, by]: Line, ring: Float64Array): boolean {
  const side = (x: number, y: number): number => (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  let crossings = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const [x1, y1, x2, y2] = edgeOf(ring, at);
    const [s1, s2] = [side(x1, y1), side(x2, y2)];
    if (s1 > 0 === s2 > 0) continue;
    const t = s1 / (s1 - s2);
    const [x, y] = [x1 + t * (x2 - x1), y1 + t * (y2 - y1)];
    const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
    if (along >= 0 && along <= 1) crossings++;
  }
  return crossings >= 2;
}

/**
 * One ring around several that touch or lie at most `gap` apart, which is closed; holes are filled. Null if they lie
 * farther apart.
 */
export function mergedRing(rings: readonly Float64Array[], gap: number): Float64Array | null {
  const grow = (paths: PathsD, by: number): PathsD =>
    inflatePathsD(paths, by, JoinType.Miter, EndType.Polygon, 2, PLACES + 1);
  const all = grow(pathsOf(turned(rings)), gap / 2);
  const one = combined(ClipType.Union, all, null);
  if (one.length !== 1) return null;
  const [outline] = one;
  const shape = combined(ClipType.Union, grow(pathsOf(turned([outline!])), -gap / 2), null);
  return shape.length === 1 ? shape[0]! : null;
}

/** The pieces of a ring left and right of the line through two points; the ring itself if the line misses it. */
export function splitRing(ring: Float64Array, [ax, ay, bx, by]: Line): Float64Array[] {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return [ring];
  let far = 1;
  for (let at = 0; at < ring.length; at += 2) {
    far = Math.max(far, Math.hypot(ring[at]! - ax, ring[at + 1]! - ay));
  }
  const [dx, dy] = [((bx - ax) / length) * 2 * far, ((by - ay) / length) * 2 * far];
  /** Everything on one side of the line that the ring can reach. */
  const side = (turn: 1 | -1): Float64Array =>
    Float64Array.of(
      ...[ax - dx, ay - dy, ax + dx, ay + dy],
      ...[ax + dx - turn * dy, ay + dy + turn * dx, ax - dx - turn * dy, ay - dy + turn * dx],
    );
  const pieces = ([1, -1] as const).flatMap((turn) =>
    combined(ClipType.Intersection, pathsOf(turned([ring])), pathsOf(turned([side(turn)]))),
  );
  const large = pieces.filter((piece) => shapeArea([[piece]]) >= MIN_PIECE);
  return large.length > 1 ? large : [ring];
}

/** All clockwise, as filling by the nonzero rule needs. */
function turned(rings: readonly Float64Array[]): Float64Array[] {
  return turnedRings(rings.map((ring) => [ring]));
}

/** Outlines without their holes. */
function combined(how: ClipType, paths: PathsD, others: PathsD | null): Float64Array[] {
  const tree = new PolyTreeD();
  booleanOpDWithPolyTree(how, paths, others, tree, FillRule.NonZero, PLACES);
  return shapeOf(tree).map(([outline]) => outline!);
}

function edgeOf(ring: Float64Array, at: number): [number, number, number, number] {
  const next = (at + 2) % ring.length;
  return [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!];
}
