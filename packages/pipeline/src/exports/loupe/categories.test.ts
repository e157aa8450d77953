import { expect, it } from "vitest";
import { sparseOf } from "../../store/testing/draw-sample.ts";
import { mostCommonTypes } from "./categories.ts";

it("gives every bin that captures a cell the type that it captures most of", () => {
  // Cell 0 covers bins 0 to 2, cells 1 and 2 share bin 3, cell 3 has no type, and bin 5 lies beside all cells.
  const captures = sparseOf(
    [
      [[0, 0.5]],
      [[0, 0.3]],
      [
        [0, 0.2],
        [1, 0.1],
      ],
      [
        [1, 0.4],
        [2, 0.9],
      ],
      [[3, 1]],
      [],
    ],
    4,
  );
  const types = mostCommonTypes(Int32Array.of(1, 0, 1, -1), captures, 2);
  expect([...types]).toEqual([1, 1, 1, 1, -1, -1]);
  // One large share outweighs two small ones.
  const shares = sparseOf(
    [
      [
        [0, 0.2],
        [1, 0.7],
        [2, 0.3],
      ],
    ],
    4,
  );
  expect([...mostCommonTypes(Int32Array.of(1, 0, 1, -1), shares, 2)]).toEqual([0]);
});
