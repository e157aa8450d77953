import { expect, it } from "vitest";
import { cellSet } from "@stipple/viewer/cells";
import { composition } from "./composition.ts";
import { countOfNumbers, median } from "./median.ts";

it("compares a selection's composition with that of all cells", () => {
  const column = Uint16Array.from([0, 0, 1, 1, 1, 1, 2, 65_535]);
  const groups = ["T cell", "B cell", "Stroma"].map((name, index) => ({
    name,
    originalName: name,
    color: `#00000${index}`,
    count: [2, 4, 1][index]!,
  }));
  const selection = cellSet(8, (cell) => [0, 2, 3, 7].includes(cell));
  expect(composition(column, groups, selection, "None")).toEqual([
    { index: 1, name: "B cell", color: "#000001", count: 2, within: 0.5, overall: 0.5 },
    { index: 0, name: "T cell", color: "#000000", count: 1, within: 0.25, overall: 0.25 },
    { index: -1, name: "None", color: null, count: 1, within: 0.25, overall: 0.125 },
  ]);
  // Two T cells and stroma, which the selection lacks.
  const other = cellSet(8, (cell) => [0, 1, 6].includes(cell));
  expect(
    composition(column, groups, selection, "None", other).map(({ name, count, overall }) => [
      ...[name, count, Math.round(100 * overall)],
    ]),
  ).toEqual([
    ["B cell", 2, 0],
    ["T cell", 1, 67],
    ["None", 1, 0],
    ["Stroma", 0, 33],
  ]);
});

it("finds the same medians as sorting, for all cells and for a subset", () => {
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (const n of [1, 2, 3, 10, 1001, 5000]) {
    const values = new Float32Array(n).map(() => Math.round(random() * 50) / 8);
    const sorted = values.slice().sort();
    const middle = (sorted[(n - 1) >> 1]! + sorted[n >> 1]!) / 2;
    expect(median(values)).toBe(middle);
  }
  const values = Float32Array.from([5, NaN, 1, 9, 3, Infinity]);
  expect(median(values)).toBe(4);
  expect(median(values, Uint32Array.from([1, 2, 3, 4]))).toBe(3);
  expect(median(values, Uint32Array.from([1]))).toBeNull();
  expect(countOfNumbers(values, Uint32Array.from([0, 1, 2, 5]))).toBe(2);
});
