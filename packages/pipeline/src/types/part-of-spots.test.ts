import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { spotsInPatches } from "./anchored-types.ts";

/** A row of spots, each capturing `seen` cells, a third of them shared with each neighbor. */
function row(nSpots: number, seen: number) {
  const step = Math.round((2 * seen) / 3);
  return {
    nRows: nSpots,
    nCols: nSpots * step + seen,
    indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s * seen),
    indices: Uint32Array.from(
      { length: nSpots * seen },
      (_, i) => Math.floor(i / seen) * step + (i % seen),
    ),
    data: new Float32Array(nSpots * seen).fill(1),
  };
}

it("orders spots in patches of neighbors from all over the sample", () => {
  const order = [...spotsInPatches(row(1000, 30), new Random(1))];
  expect(order.toSorted((a, b) => a - b)).toEqual([...Array(1000).keys()]);
  const patches = [order.slice(0, 50), order.slice(50, 100)];
  for (const patch of patches) expect(Math.max(...patch) - Math.min(...patch)).toBeLessThan(60);
});

it("orders bins at random when they hardly share cells", () => {
  const order = [...spotsInPatches(row(1000, 3), new Random(1))];
  expect(order.toSorted((a, b) => a - b)).toEqual([...Array(1000).keys()]);
  expect(Math.max(...order.slice(0, 50)) - Math.min(...order.slice(0, 50))).toBeGreaterThan(500);
});
