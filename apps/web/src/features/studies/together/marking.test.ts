import { expect, it } from "vitest";
import {
  distanceOf,
  markingOf,
  marksOn,
  withPlace,
  type Marking,
  type SectionPoint,
} from "./marking.ts";

const NONE: Marking = { between: ["a", "b"], points: [], half: null };

it("makes a landmark of a place on each section, in either order", () => {
  let marking = withPlace(NONE, "a", 10, 20);
  expect(marksOn(marking, "a", 2)).toEqual([{ label: "1", x: 5, y: 10 }]);
  expect(marksOn(marking, "b", 2)).toEqual([]);
  // Again on the same section: the place moves.
  marking = withPlace(withPlace(marking, "a", 12, 20), "b", 1, 2);
  expect(marking).toMatchObject({ points: [[12, 20, 1, 2]], half: null });
  marking = withPlace(withPlace(marking, "b", 5, 6), "a", 7, 8);
  expect(marking.points[1]).toEqual([7, 8, 5, 6]);
  expect(marksOn(marking, "b", 1).map(({ label, x }) => [label, x])).toEqual([
    ["1", 1],
    ["2", 5],
  ]);
  expect(withPlace(marking, "c", 1, 1)).toBe(marking);
});

it("goes on from the landmarks that are kept of the two sections, whichever is the first", () => {
  const kept = [
    { between: ["a", "b"] as [string, string], points: [[1, 2, 3, 4]] as SectionPoint[] },
  ];
  expect(markingOf(["a", "b"], kept).points).toEqual([[1, 2, 3, 4]]);
  expect(markingOf(["b", "a"], kept).points).toEqual([[3, 4, 1, 2]]);
  expect(markingOf(["a", "c"], kept).points).toEqual([]);
});

it("tells how well landmarks fit, once they say how the sections lie on each other", () => {
  expect(distanceOf([[0, 0, 5, 5]])).toBeNull();
  expect(distanceOf([0, 1, 2].map((n) => [n, n, n, n]))).toBeNull();
  const exact = [
    [0, 0, 5, 5],
    [100, 0, 105, 5],
    [0, 100, 5, 105],
  ] as [number, number, number, number][];
  expect(distanceOf(exact)).toBeCloseTo(0, 9);
  expect(distanceOf([...exact, [100, 100, 105, 113]])).toBeGreaterThan(1);
});
