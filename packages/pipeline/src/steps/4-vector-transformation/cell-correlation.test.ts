import { expect, it } from "vitest";
import {
  areCoarse,
  cellCorrelation,
  poorImageOf,
  signalsOf,
  spreadOf,
} from "./cell-correlation.ts";
import table from "./cell-correlation-table.json" with { type: "json" };

const genes = {
  heldout: Float32Array.of(0.1, 0.3, NaN, 0.3),
  visibility: Float64Array.of(0.1, 0.4, 0.4, 0.8),
  isModel: true,
  varies: () => true,
  lookGain: 0.1,
  bins: false,
  betweenBins: 0,
  coarseBins: false,
  poorImage: 0,
};

it("has a weight for each signal", () => {
  const sample = { ...genes, medianHeldout: 0.1, medianVisibility: 0.3 };
  const seen = signalsOf({ heldout: 0.1, visibility: 0.3, isModel: true }, sample);
  expect(table.weights).toHaveLength(seen.length);
  expect(table.low).toBeLessThan(0);
  expect(table.high).toBeGreaterThan(0);
});

it("expects a higher correlation, with a wider interval, for genes less masked by noise; NaN if not judged", () => {
  const { expected, low, high } = cellCorrelation(genes);
  expect(expected[3]).toBeGreaterThan(expected[1]);
  expect(expected[1]).toBeGreaterThan(expected[0]);
  expect([expected[2], low[2], high[2]]).toEqual([NaN, NaN, NaN]);
  const width = (gene: number): number => Math.atanh(high[gene]) - Math.atanh(low[gene]);
  const seen = (visibility: number): number => spreadOf([1, Math.atanh(visibility)]);
  expect(width(3) / width(0)).toBeCloseTo(seen(0.8) / seen(0.1), 3);
});

it("expects a higher correlation from own bins, less so from coarse ones, and a lower one when the image is out of focus", () => {
  const own = cellCorrelation(genes).expected;
  const blurred = { imageQuality: { blurred: 0.6, dark: 0.1, pen: 0 } };
  const deep = { ...genes, bins: true, betweenBins: 0.15 };
  expect(cellCorrelation(deep).expected[1]).toBeGreaterThan(own[1]);
  expect(cellCorrelation({ ...deep, betweenBins: 0.02 }).expected[1]).toBeLessThan(
    cellCorrelation(deep).expected[1],
  );
  expect(cellCorrelation({ ...deep, coarseBins: areCoarse(16) }).expected[1]).toBeLessThan(
    cellCorrelation({ ...deep, coarseBins: areCoarse(8) }).expected[1],
  );
  expect(cellCorrelation({ ...genes, poorImage: poorImageOf(blurred) }).expected[1]).toBeLessThan(
    own[1],
  );
  expect(poorImageOf({ imageQuality: null })).toBe(0);
});
