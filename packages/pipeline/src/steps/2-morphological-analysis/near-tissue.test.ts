import { expect, it } from "vitest";
import { nearTissue, onlyKept, tissueWithCells, withoutExcluded } from "./near-tissue.ts";

it("keeps points in the tissue or within 100 µm of it", () => {
  // 40 × 20 pixels of 10 µm; tissue in the left ten columns.
  const mask = Uint8Array.from({ length: 800 }, (_, p) => (p % 40 < 10 ? 1 : 0));
  const { holds, meets } = nearTissue(mask, 40, 20, 10);
  expect(holds(5 / 40, 0.5)).toBe(true);
  expect(holds(19.5 / 40, 0.99)).toBe(true);
  expect(holds(21 / 40, 0.5)).toBe(false);
  expect(holds(1, 1)).toBe(false);
  expect(meets({ x0: 19 / 40, y0: 0.2, x1: 30 / 40, y1: 0.3 })).toBe(true);
  expect(meets({ x0: 21 / 40, y0: 0, x1: 1, y1: 1 })).toBe(false);
});

it("keeps everything when no tissue was found", () => {
  expect(nearTissue(new Uint8Array(800), 40, 20, 10).holds(0.9, 0.9)).toBe(true);
});

it("counts only the tissue where cells count", () => {
  const mask = { nRows: 20, nCols: 40, data: new Uint8Array(800).fill(1, 0, 400) };
  const size = { width: 400, height: 200 };
  const near = nearTissue(mask.data, 40, 20, 10);
  const of = (place: typeof near): number =>
    tissueWithCells(mask, place).data.reduce((sum, value) => sum + value, 0);
  expect(of(near)).toBe(400);
  const corners = Float64Array.of(0, 0, 100, 0, 100, 200, 0, 200);
  const left = { name: "left", kind: null, color: null, polygons: [[corners]] };
  expect(of(onlyKept(near, size, [left]))).toBe(100);
  expect(of(withoutExcluded(near, size, (x) => x < 100))).toBe(300);
});
