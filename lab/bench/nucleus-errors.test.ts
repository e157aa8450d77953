import { expect, it } from "vitest";
import { addErrors, noErrors } from "./nucleus-errors.ts";

const SIDE = 60;

/** Squares of 10 px or other rectangles, numbered from 1; later ones lie on top. */
function drawn(
  rectangles: readonly { x: number; y: number; width?: number; height?: number }[],
): Int32Array {
  const labels = new Int32Array(SIDE * SIDE);
  rectangles.forEach(({ x, y, width = 10, height = 10 }, i) => {
    for (let v = y; v < y + height; v++) labels.fill(i + 1, v * SIDE + x, v * SIDE + x + width);
  });
  return labels;
}

it("tells missed, merged, split, badly outlined, and false nuclei apart", () => {
  const truth = drawn([
    { x: 0, y: 0 },
    // Two side by side that are found as one.
    { x: 20, y: 0 },
    { x: 30, y: 0 },
    // One that is found as two halves and one that is found half as large as needed.
    { x: 0, y: 20 },
    { x: 20, y: 20 },
    // Nobody finds this one.
    { x: 40, y: 20 },
  ]);
  const found = drawn([
    { x: 0, y: 0 },
    { x: 20, y: 0, width: 20 },
    { x: 0, y: 20, width: 5 },
    { x: 5, y: 20, width: 5 },
    { x: 20, y: 20, width: 4 },
    { x: 40, y: 40 },
  ]);
  const sums = noErrors();
  addErrors(sums, { labels: truth, count: 6, ignore: null }, found, 6);
  expect(sums).toMatchObject({ nuclei: 6, found: 6, merged: 2, split: 1, outline: 1, missed: 1 });
  expect(sums.false).toBe(1);
});

it("aggregates the Jaccard index over nuclei, with what was found in vain", () => {
  const sums = noErrors();
  const truth = drawn([
    { x: 0, y: 0 },
    { x: 20, y: 0 },
  ]);
  const found = drawn([
    { x: 2, y: 0 },
    { x: 40, y: 40, width: 5 },
  ]);
  addErrors(sums, { labels: truth, count: 2, ignore: null }, found, 2);
  // 80 of 120 px of the first, none of 100 of the second, and 50 found in vain.
  expect([sums.shared, sums.united]).toEqual([80, 270]);
});

it("leaves out what was found in ignored areas", () => {
  const sums = noErrors();
  const ignore = Uint8Array.from(drawn([{ x: 40, y: 40 }]));
  addErrors(sums, { labels: drawn([]), count: 0, ignore }, drawn([{ x: 42, y: 40 }]), 1);
  expect(sums).toEqual(noErrors());
});
