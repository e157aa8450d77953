import { expect, it } from "vitest";
import { areaSums, windowMeans } from "./area-sums.ts";

// 3 columns, 2 rows.
const grid = [1, 2, 3, 4, 5, 6];

it("sums rectangles", () => {
  const sumOf = areaSums(grid, 3, 2);
  expect(sumOf(0, 0, 3, 2)).toBe(21);
  expect(sumOf(1, 0, 3, 1)).toBe(5);
  expect(sumOf(1, 1, 2, 2)).toBe(5);
  expect(sumOf(1, 1, 1, 2)).toBe(0);
});

it("clips windows at the borders", () => {
  expect([...windowMeans(grid, 3, 2, 1)]).toEqual([3, 3.5, 4, 3, 3.5, 4]);
  expect([...windowMeans(grid, 3, 2, 0)]).toEqual(grid);
});
