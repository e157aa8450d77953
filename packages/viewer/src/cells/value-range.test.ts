import { expect, it } from "vitest";
import { commonRange, valueRange } from "./value-range.ts";

it("has one scale for several sections, as if their cells were of one", () => {
  const dark = Float32Array.from({ length: 100 }, (_, at) => at / 100);
  const bright = Float32Array.from({ length: 300 }, (_, at) => 5 + at / 100);
  const one = Float32Array.from([...dark, ...bright]);
  const range = commonRange([dark, bright], [0, 0.99]);
  expect(range).toEqual(valueRange(one, [0, 0.99], true));
  expect(range.expressing).toBe(399);
  // The brightest section alone would end lower than its own 99%, the darkest far below.
  expect(range.high).toBeGreaterThan(7.9);
  expect(valueRange(dark, [0, 0.99], true).high).toBeLessThan(1);
  expect(commonRange([], [0, 1])).toEqual({ low: 0, high: 1, expressing: 0 });
});
