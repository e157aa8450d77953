import { expect, it } from "vitest";
import { countedMarkers } from "./counted-markers.ts";

/** Genes × 3 spots: the first three genes have counts of 19, 20, and 0. */
function counts(nRows: number) {
  return {
    nRows,
    nCols: 3,
    indptr: new Uint32Array(nRows + 1).fill(4).fill(0, 0, 1).fill(2, 1, 2),
    indices: Uint32Array.of(0, 1, 1, 2),
    data: Float32Array.of(10, 9, 10, 10),
  };
}

it("drops markers with hardly any counts unless the data is a panel", () => {
  const tellsOf = (nRows: number): boolean[] => [0, 1, 2].map(countedMarkers(counts(nRows)));
  expect(tellsOf(1_001)).toEqual([false, true, false]);
  expect(tellsOf(1_000)).toEqual([true, true, true]);
});
