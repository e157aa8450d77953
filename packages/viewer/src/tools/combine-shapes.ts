import { signedArea } from "@stipple/numerics/polygon-shape";
import {
  ClipType,
  EndType,
  FillRule,
  JoinType,
  PolyTreeD,
  booleanOpDWithPolyTree,
  inflatePathsD,
  simplifyPathsD,
  type PathsD,
  type PolyPathD,
} from "clipper2-ts";
import { turnedRings, type Shape } from "../geometry/shape.ts";

/** Decimal places that are kept. */
export const PLACES = 2;
/** Rings below this area are left over where edges nearly meet, square units. */
const MIN_AREA = 0.5;

/** How a drawn shape changes another one: it is added or cut out, or only what both cover is left. */
export type ShapeChange = "add" | "subtract" | "intersect";

const CHANGES = {
  add: ClipType.Union,
  subtract: ClipType.Difference,
  intersect: ClipType.Intersection,
} as const;

/** A shape changed by another one; empty if nothing is left. Border crossings are resolved. */
export function combinedShapes(shape: Shape, drawn: Shape, how: ShapeChange): Shape {
  const tree = new PolyTreeD();
  booleanOpDWithPolyTree(
    CHANGES[how],
    pathsOf(turnedRings(shape)),
    pathsOf(turnedRings(drawn)),
    tree,
    FillRule.NonZero,
    PLACES,
  );
  return shapeOf(tree);
}

/**
 * A shape whose corners were moved, with border crossings resolved. Holes take away what they share with their outline, and
 * add nothing where they reach beyond it.
 */
export function withoutCrossings(shape: Shape): Shape {
  const polygons = shape.flatMap(([outline, ...holes]): Shape => {
    if (holes.length === 0) return [[outline!]];
    return combinedShapes(
      [[outline!]],
      holes.map((hole) => [hole]),
      "subtract",
    );
  });
  return combinedShapes(polygons, [], "add");
}

/**
 * The area inside a drawn ring, even where it crosses itself: by the nonzero rule, so that overlapping ends leave no
 * hole. Empty for a ring without an area.
 */
export function areaOfRing(ring: Float64Array): Shape {
  return combinedShapes([[ring]], [], "add");
}

/** The area that a round brush covers along a path; `radius` > 0 and points in drawing units. */
export function areaOfStroke(path: Float64Array, radius: number): Shape {
  // Steps far below what can be seen make the outline long.
  const [line] = simplifyPathsD(pathsOf([path]), radius / 50, false);
  const outline = inflatePathsD(
    [line ?? []],
    radius,
    JoinType.Round,
    EndType.Round,
    2,
    PLACES,
    radius / 100,
  );
  const tree = new PolyTreeD();
  booleanOpDWithPolyTree(ClipType.Union, outline, null, tree, FillRule.NonZero, PLACES);
  return shapeOf(tree);
}

export function pathsOf(rings: readonly Float64Array[]): PathsD {
  return rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, at) => ({
      x: ring[2 * at]!,
      y: ring[2 * at + 1]!,
    })),
  );
}

/** The tree's levels alternate between outlines and holes. */
export function shapeOf(tree: PolyPathD): Shape {
  return childrenOf(tree).flatMap((outline) => {
    const holes = childrenOf(outline);
    const border = ringOf(outline);
    const rings = [border, ...holes.map(ringOf)].filter(isLarge);
    return [...(isLarge(border) ? [rings] : []), ...holes.flatMap(shapeOf)];
  });
}

function childrenOf(node: PolyPathD): PolyPathD[] {
  return Array.from({ length: node.count }, (_, at) => node.child(at));
}

function isLarge(ring: Float64Array): boolean {
  return Math.abs(signedArea(ring)) >= MIN_AREA;
}

function ringOf({ poly }: PolyPathD): Float64Array {
  return Float64Array.from(poly!.flatMap(({ x, y }) => [x, y]));
}
