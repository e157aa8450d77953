import { CELL_MEASURES } from "@stipple/contract/viewer-manifest";
import { expect, it } from "vitest";
import { cellColors, MISSING, valueRange } from "@stipple/viewer/cells";
import { median } from "../selection/panel/median.ts";
import { isCounted, isOfType, onlyCounted, onlyTyped } from "./counted.ts";

it("excludes cells outside the spots from scale and medians, and grays them", () => {
  expect(CELL_MEASURES.filter(isCounted)).toEqual(["cells.total_counts", "cells.n_genes"]);
  const observed = Uint8Array.from([1, 0, 0, 1, 1]);
  const values = onlyCounted(Uint32Array.from([0, 0, 0, 40, 60]), observed);
  expect([...values]).toEqual([0, NaN, NaN, 40, 60]);
  expect(median(values)).toBe(40);
  expect(median(values, Uint32Array.from([1, 2]))).toBeNull();
  const range = valueRange(values, [0.5, 1], false);
  expect(range).toMatchObject({ low: 40, high: 60 });
  const group = new Uint16Array(5);
  const xy = new Float32Array(10);
  const { rgba } = cellColors(
    {
      xy,
      umap: xy,
      type: group,
      cluster: group,
      domain: undefined,
      evidence: undefined,
      imageQuality: undefined,
      observed,
    },
    { by: "value", values, range, observedOnly: true },
    { type: [], cluster: [], domain: [], own: [], evidence: [], imageQuality: [] },
  );
  const isGray = [0, 1, 2, 3, 4].map((cell) => rgba[4 * cell] === MISSING[0]);
  expect(isGray).toEqual([false, true, true, false, false]);
});

it("gives cells without a type no confidence in it", () => {
  expect(CELL_MEASURES.filter(isOfType)).toEqual(["cells.confidence", "cells.type_margin"]);
  const values = Float32Array.from([0.5, 0.25, 0.75]);
  expect([...onlyTyped(values, Uint16Array.from([0, 2, 1]), 2)]).toEqual([0.5, NaN, 0.75]);
  expect([...onlyTyped(values, Uint16Array.from([0, 2, 1]), -1)]).toEqual([0.5, 0.25, 0.75]);
});
