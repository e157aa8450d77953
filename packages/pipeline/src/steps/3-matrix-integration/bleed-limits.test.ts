import { expect, it } from "vitest";
import { runInMemory, type Fields } from "../../store/in-memory.ts";
import { step } from "./step.ts";

it("takes no length over which an array's spots or bins would share more than memory holds", async () => {
  const of = (lengthUm: number | null) => step.params.safeParse({ lengthUm }).success;
  expect([null, 400, 401].map(of)).toEqual([true, true, false]);
  const bins = {
    "sample/segmentation": { method: "network" },
    "sample/scale": { spotShape: "square" },
    "spots/xy": { nRows: 0, nCols: 2, data: new Float64Array(0) },
    "cells/xy": { nRows: 0, nCols: 2, data: new Float32Array(0) },
  } as Fields;
  await expect(runInMemory(step, bins, { params: { lengthUm: 41 } })).rejects.toThrow(
    "The parameter matrix-integration.lengthUm must be at most 40 for bins.",
  );
});
