import { expect, it } from "vitest";
import { fullyMixed, meanLisi, ownCondition } from "./mixing.ts";

/** Every point has all others as neighbors, at the same distance. */
function allEqual(n: number) {
  return {
    k: n - 1,
    indices: Int32Array.from({ length: n * (n - 1) }, (_, at) => {
      const [point, place] = [Math.floor(at / (n - 1)), at % (n - 1)];
      return place < point ? place : place + 1;
    }),
    distances: new Float64Array(n * (n - 1)).fill(2),
  };
}

it("counts the labels in a neighborhood", () => {
  expect(meanLisi(allEqual(91), new Int32Array(91))).toBeCloseTo(1, 10);
  const halves = Int32Array.from({ length: 91 }, (_, i) => i % 2);
  expect(meanLisi(allEqual(91), halves)).toBeCloseTo(2, 2);
});

it("says how many labels a neighborhood holds if all are mixed", () => {
  expect(fullyMixed(allEqual(91), new Int32Array(91))).toBeCloseTo(1, 10);
  const apart = {
    k: 30,
    indices: Int32Array.from({ length: 400 * 30 }, (_, at) => {
      const [point, place] = [Math.floor(at / 30), at % 30];
      return 200 * Math.floor(point / 200) + ((point + place + 1) % 200);
    }),
    distances: new Float64Array(400 * 30).fill(1),
  };
  const halves = Int32Array.from({ length: 400 }, (_, i) => Math.floor(i / 200));
  expect(meanLisi(apart, halves)).toBeCloseTo(1, 10);
  expect(fullyMixed(apart, halves)).toBeGreaterThan(1.9);
});

it("weighs near neighbors more", () => {
  // The nearer 30 of each point's 90 neighbors have its own label, the others another one.
  const near = {
    k: 90,
    indices: Int32Array.from({ length: 2 * 90 }, (_, at) => {
      const [point, place] = [Math.floor(at / 90), at % 90];
      return place < 30 ? point : 1 - point;
    }),
    distances: Float64Array.from({ length: 2 * 90 }, (_, at) => (at % 90 < 30 ? 1 : 3)),
  };
  expect(meanLisi(near, [0, 1])).toBeLessThan(1.05);
});

it("compares the conditions of neighbors from other samples with chance", () => {
  const sampleOf = Int32Array.from({ length: 92 }, (_, i) => i % 4);
  expect(ownCondition(allEqual(92), sampleOf, ["a", "a", "b", "b"])).toBeCloseTo(1, 10);
  expect(ownCondition(allEqual(92), sampleOf, ["a", "b", "c", "d"])).toBeNull();
  const paired = {
    k: 1,
    indices: Int32Array.from(sampleOf, (sample, i) => (sample % 2 === 0 ? i + 1 : i - 1)),
    distances: new Float64Array(92).fill(1),
  };
  expect(ownCondition(paired, sampleOf, ["a", "a", "b", "b"])).toBeCloseTo(3, 10);
});
