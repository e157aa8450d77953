import { expect, it } from "vitest";
import { cellSet, cellsOf, hasCell } from "./cell-set.ts";

it("holds what it was made of", () => {
  const wanted = [0, 7, 8, 63, 99];
  const set = cellSet(100, (cell) => wanted.includes(cell));
  expect(set.count).toBe(5);
  expect([...cellsOf(set)]).toEqual(wanted);
  expect(hasCell(set, 63)).toBe(true);
  expect(hasCell(set, 64)).toBe(false);
});
