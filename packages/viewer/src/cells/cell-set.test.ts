import { expect, it } from "vitest";
import {
  cellSet,
  cellSetOf,
  cellSetOfBits,
  cellsOf,
  difference,
  hasCell,
  intersection,
  union,
} from "./cell-set.ts";

it("holds the cells it was built from", () => {
  const wanted = [0, 7, 8, 63, 99];
  const set = cellSet(100, (cell) => wanted.includes(cell));
  expect(set.count).toBe(5);
  expect([...cellsOf(set)]).toEqual(wanted);
  expect(hasCell(set, 63)).toBe(true);
  expect(hasCell(set, 64)).toBe(false);
  expect(cellSetOf(Uint32Array.from(wanted), 100)).toEqual(set);
});

it("unites, intersects and subtracts", () => {
  const even = cellSet(21, (cell) => cell % 2 === 0);
  const third = cellSet(21, (cell) => cell % 3 === 0);
  expect([...cellsOf(union(even, third))]).toEqual([
    0, 2, 3, 4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20,
  ]);
  expect([...cellsOf(intersection(even, third))]).toEqual([0, 6, 12, 18]);
  expect([...cellsOf(difference(third, even))]).toEqual([3, 9, 15]);
  expect(difference(third, third).count).toBe(0);
  expect(union(even, third).count).toBe(14);
});

it("accepts external bits and drops those beyond the last cell", () => {
  expect([...cellsOf(cellSetOfBits(Uint8Array.of(0b1000_0001, 0xff), 10))]).toEqual([0, 7, 8, 9]);
  expect(() => cellSetOfBits(Uint8Array.of(1), 10)).toThrow("1 bytes do not hold");
});
