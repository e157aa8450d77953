import { expect, it } from "vitest";
import { transpose } from "../numerics/sparse.ts";
import type { AnchoredData } from "./anchored-fit.ts";
import { Random } from "../numerics/random.ts";
import { halvesOfSpots, spotsInPatches } from "./part-of-spots.ts";

/** Six spots of two cells each, one of them shared with the next spot; one gene with counts 0 … 5. */
function data(): AnchoredData {
  const nCells = 7;
  const overlap = {
    nRows: 6,
    nCols: nCells,
    indptr: Uint32Array.from({ length: 7 }, (_, s) => 2 * s),
    indices: Uint32Array.from({ length: 12 }, (_, i) => (i >> 1) + (i & 1)),
    data: new Float32Array(12).fill(1),
  };
  return {
    overlap,
    reached: transpose(overlap),
    counts: Float32Array.of(0, 1, 2, 3, 4, 5),
    nGenes: 1,
    phi: { data: Float32Array.from({ length: nCells }, (_, cell) => cell), nCols: 1 },
    nLooks: 0,
    penalty: [0],
  };
}

it("puts every spot in one half", () => {
  const halves = halvesOfSpots(data(), 3);
  expect(halves.map(({ overlap }) => overlap.nRows)).toEqual([3, 3]);
  expect(halves.flatMap(({ counts }) => [...counts]).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...halvesOfSpots(data(), 3)[0]!.counts]).toEqual([...halves[0]!.counts]);
});

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
