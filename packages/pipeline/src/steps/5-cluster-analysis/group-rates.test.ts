import { expect, it } from "vitest";
import { spotShares } from "./group-rates.ts";

it("divides a spot's capture among the groups of its cells and lists only those", () => {
  const overlap = {
    nRows: 3,
    nCols: 4,
    indptr: Uint32Array.of(0, 3, 3, 5),
    indices: Uint32Array.of(0, 1, 2, 3, 0),
    data: Float32Array.of(1, 2, 1, 3, 1),
  };
  const byGene = {
    nRows: 1,
    nCols: 3,
    indptr: Uint32Array.of(0, 2),
    indices: Uint32Array.of(0, 2),
    data: Float32Array.of(5, 2),
  };
  const spots = { overlap, byGene, observed: new Uint8Array(4).fill(1), seed: 0 };
  const { share, totals, all } = spotShares(spots, Int32Array.of(4, 0, 4, 2), 5);
  expect([...share.indptr]).toEqual([0, 2, 2, 4]);
  expect([...share.indices]).toEqual([0, 4, 2, 4]);
  expect([...share.data]).toEqual([0.5, 0.5, 0.75, 0.25]);
  expect([[...totals], all]).toEqual([[5, 0, 2], 7]);
});
