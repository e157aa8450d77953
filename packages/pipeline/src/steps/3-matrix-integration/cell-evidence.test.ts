import { CELL_EVIDENCE } from "@stipple/contract";
import { expect, it } from "vitest";
import type { Matrix } from "@stipple/numerics/matrices";
import { cellEvidence } from "./run.ts";

const points = (xy: number[][]): Matrix => ({
  nRows: xy.length,
  nCols: 2,
  data: Float64Array.from(xy.flat()),
});

it("distinguishes measured cells, cells within one spot distance of a spot, and cells beyond", () => {
  const evidence = cellEvidence(
    Uint8Array.of(1, 0, 0, 0),
    points([
      [0, 0],
      [190, 0],
      [210, 0],
      [1000, 10],
    ]),
    {
      spots: points([
        [0, 0],
        [1000, 0],
      ]),
      // The second one failed, or the image does not show it.
      use: Uint8Array.of(1, 0),
    },
    { pitchUm: 100, micronsPerPixel: 0.5 },
  );
  const words = Array.from(evidence, (code) => CELL_EVIDENCE[code]);
  expect(words).toEqual(["measured", "inferred", "beyond_reach", "beyond_reach"]);
});
