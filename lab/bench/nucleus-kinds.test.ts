import { expect, it } from "vitest";
import type { LabeledImage } from "./nuclei-datasets.ts";
import { nucleusKinds, type NucleusKind } from "./nucleus-kinds.ts";

const SIDE = 120;

/** Rectangles on an empty background, 0.5 µm per pixel. */
function imageOf(
  nuclei: readonly { x: number; y: number; width: number; height: number; signal: number }[],
): LabeledImage {
  const labels = new Int32Array(SIDE * SIDE);
  const signal = new Float32Array(SIDE * SIDE).fill(0.1);
  nuclei.forEach(({ x, y, width, height, signal: own }, k) => {
    for (let v = y; v < y + height; v++) {
      labels.fill(k + 1, v * SIDE + x, v * SIDE + x + width);
      signal.fill(own, v * SIDE + x, v * SIDE + x + width);
    }
  });
  return {
    labels,
    count: nuclei.length,
    width: SIDE,
    height: SIDE,
    umPerPx: 0.5,
    stains: { signal },
  } as unknown as LabeledImage;
}

it("classifies small, large, pale, slender, crowded, and lone nuclei", () => {
  const kinds = nucleusKinds(
    imageOf([
      // 9 × 9 px are 20 µm².
      { x: 5, y: 5, width: 9, height: 9, signal: 1 },
      // 12 × 12 px are 36 µm²: neither small nor large.
      { x: 60, y: 5, width: 12, height: 12, signal: 1 },
      // 16 × 16 px are 64 µm².
      { x: 5, y: 60, width: 16, height: 16, signal: 1 },
      // Two with a gap of 2 px, 1 µm; the second half as bright.
      { x: 60, y: 60, width: 12, height: 12, signal: 1 },
      { x: 74, y: 60, width: 12, height: 12, signal: 0.5 },
      // 8 × 20 px: 2.5 times as long as wide.
      { x: 5, y: 95, width: 20, height: 8, signal: 1 },
      // A gap of 4 px, 2 µm, from the previous one: neither crowded nor alone.
      { x: 29, y: 93, width: 12, height: 12, signal: 1 },
    ]),
  );
  const expected: NucleusKind[][] = [
    [],
    ["small", "alone"],
    ["alone"],
    ["large", "alone"],
    ["crowded"],
    ["pale", "crowded"],
    ["slender"],
    [],
  ];
  expect(kinds.map((own) => [...own].sort())).toEqual(expected.map((own) => own.sort()));
});

it("returns no kinds for an image without nuclei", () => {
  expect(nucleusKinds(imageOf([])).slice(1)).toEqual([]);
});
