import { expect, it } from "vitest";
import { SparseBuilder } from "./count-matrix.ts";

const [ROWS, COLS] = [30, 40];
type Entry = [row: number, col: number];

/** Five entries in each row. */
const sorted: Entry[] = Array.from({ length: 5 * ROWS }, (_, k) => [
  Math.floor(k / 5),
  8 * (k % 5),
]);

function isDisturbed(entries: readonly Entry[]): boolean {
  const builder = new SparseBuilder(ROWS, COLS, entries.length);
  for (const [row, col] of entries) builder.add(row, col, 1);
  return builder.finish().isDisturbed;
}

it("tells a few entries out of order from matrices in another order", () => {
  expect(isDisturbed(sorted)).toBe(false);
  expect(isDisturbed(sorted.toReversed())).toBe(false);
  expect(isDisturbed(sorted.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]))).toBe(false);
  // Two lists one after the other, as of genes and antibodies.
  const second = sorted.map(([row, col]): Entry => [row, col + 1]);
  expect(isDisturbed([...sorted, ...second])).toBe(false);
  expect(isDisturbed(sorted.map((entry, k) => (k === 71 ? [entry[0], 33] : entry)))).toBe(true);
  for (const row of [3, 27]) {
    expect(isDisturbed(sorted.map((entry, k) => (k === 71 ? [row, entry[1]] : entry)))).toBe(true);
  }
});

it("sorts rows that come twice, and finds what they list twice", () => {
  const finished = (entries: readonly Entry[]) => {
    const builder = new SparseBuilder(2, COLS, entries.length);
    for (const [row, col] of entries) builder.add(row, col, 10 * row + col);
    return builder.finish();
  };
  const { counts, duplicate } = finished([
    [0, 5],
    [1, 2],
    [0, 3],
    [1, 1],
  ]);
  expect([[...counts.indices], [...counts.data]]).toEqual([
    [3, 5, 1, 2],
    [3, 5, 11, 12],
  ]);
  expect(duplicate).toBeNull();
  expect(
    finished([
      [0, 3],
      [0, 5],
      [1, 2],
      [0, 3],
    ]).duplicate,
  ).toEqual({ row: 0, col: 3 });
});
