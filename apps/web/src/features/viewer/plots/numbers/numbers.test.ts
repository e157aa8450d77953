import { describe, expect, it } from "vitest";
import { groupsByIndex, groupsOfSets, groupsWithCells } from "./cell-groups.ts";
import { bandwidth, density } from "./density.ts";
import { geneMeans, standardized } from "./gene-means.ts";
import { summarize } from "./group-summary.ts";
import { quantile } from "@stipple/numerics/quantile";

/** Standard normal values at evenly spaced probabilities: their density is known. */
function normalValues(n: number): Float32Array {
  return Float32Array.from({ length: n }, (_, i) => inverseNormal((i + 0.5) / n));
}

/** Bisection on the cumulative distribution function (Abramowitz & Stegun 7.1.26, error below 1.5e-7). */
function inverseNormal(p: number): number {
  let [low, high] = [-8, 8];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    const x = Math.abs(middle) / Math.SQRT2;
    const t = 1 / (1 + 0.3275911 * x);
    const tail =
      ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) *
      t *
      Math.exp(-x * x);
    const below = middle < 0 ? tail / 2 : 1 - tail / 2;
    if (below < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function integral(heights: Float64Array, low: number, high: number): number {
  const step = (high - low) / (heights.length - 1);
  return heights.reduce(
    (sum, height, at) => sum + height * step * (at === 0 || at === heights.length - 1 ? 0.5 : 1),
    0,
  );
}

describe("groups of cells", () => {
  it("sorts cells by index, skipping those without a group or outside the filter", () => {
    const groups = groupsByIndex(Uint16Array.of(1, 0, 65_535, 1, 1), 3, (cell) => cell !== 3);
    expect([...groups.offsets]).toEqual([0, 1, 3, 3]);
    expect([...groups.cells]).toEqual([1, 0, 4]);
    expect(groupsWithCells(groups)).toEqual([0, 1]);
  });

  it("allows overlapping sets", () => {
    const groups = groupsOfSets([Uint32Array.of(0, 2), Uint32Array.of(2, 3)], (cell) => cell > 0);
    expect([...groups.offsets]).toEqual([0, 1, 3]);
    expect([...groups.cells]).toEqual([2, 2, 3]);
  });
});

describe("quantiles", () => {
  it("interpolate as numpy does", () => {
    // numpy.quantile([1, 2, 4, 8], [0, 0.25, 0.5, 0.75, 1]) of numpy 2.1
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => quantile([1, 2, 4, 8], share))).toEqual([
      1, 1.75, 3, 5, 8,
    ]);
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe("densities", () => {
  it("match the normal distribution convolved with the kernel", () => {
    const values = normalValues(20_000);
    const width = bandwidth(values);
    expect(width).toBeCloseTo(0.9 * 20_000 ** -0.2, 2);
    const [low, high] = [-6, 6];
    const heights = density(values, low, high, 121)!;
    const variance = 1 + width ** 2;
    heights.forEach((height, at) => {
      const x = low + at * 0.1;
      expect(height).toBeCloseTo(
        Math.exp((-0.5 * x * x) / variance) / Math.sqrt(2 * Math.PI * variance),
        2,
      );
    });
    expect(integral(heights, low, high)).toBeCloseTo(1, 4);
  });

  it("integrate to 1 when values pile up at an end", () => {
    const values = Float32Array.from({ length: 4000 }, (_, i) =>
      i < 3000 ? 0 : (i - 2999) / 1000,
    );
    expect(integral(density(values, 0, 1, 1024)!, 0, 1)).toBeCloseTo(1, 6);
    const uniform = Float32Array.from({ length: 1000 }, (_, i) => (i + 0.5) / 1000);
    const flat = density(uniform, 0, 1, 11)!;
    for (const height of flat) expect(height).toBeCloseTo(1, 1);
  });

  it("are null when values are all equal or too few", () => {
    expect(density(Float32Array.of(2, 2, 2), 0, 4, 9)).toBeNull();
    expect(density(Float32Array.of(2), 0, 4, 9)).toBeNull();
  });
});

describe("summaries", () => {
  const groups = groupsByIndex(Uint16Array.of(0, 0, 0, 0, 1, 1, 2), 4);
  const values = Float32Array.of(3, 0, 1, 0, 8.5, Number.NaN, Number.NaN);

  it("count cells, zeros and missing values", () => {
    const { groups: found, edges } = summarize(values, groups, { log: false, bins: 3, points: 5 });
    expect(found[0]).toMatchObject({
      cells: 4,
      zeros: 2,
      missing: 0,
      mean: 1,
      median: 0.5,
      q3: 1.5,
    });
    expect(found[1]).toMatchObject({ cells: 1, missing: 1, min: 8.5, max: 8.5, density: null });
    expect(found[2]).toMatchObject({ cells: 0, missing: 1, mean: Number.NaN });
    expect(found[3]).toMatchObject({ cells: 0, missing: 0 });
    expect([...edges]).toEqual([0, 8.5 / 3, 17 / 3, 8.5]);
    expect(found.map(({ bins }) => [...bins])).toEqual([
      [3, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it("use integer-aligned bins for integers", () => {
    const counts = Float32Array.of(0, 1, 2, 3, 4, 5, 6);
    const whole = groupsByIndex(new Uint8Array(7), 1);
    const { edges, groups: found } = summarize(counts, whole, { log: false, bins: 3, points: 5 });
    expect([...edges]).toEqual([-0.5, 2.5, 5.5, 8.5]);
    expect([...found[0]!.bins]).toEqual([3, 3, 1]);
  });

  it("put logarithms on the axis but report statistics of the raw values", () => {
    const { groups: found, edges } = summarize(values, groups, { log: true, bins: 2, points: 5 });
    expect(edges[2]).toBeCloseTo(Math.log10(9.5));
    expect(found[0]).toMatchObject({ max: 3, mean: 1 });
    expect([...found[0]!.bins]).toEqual([3, 1]);
  });

  it("leave the axis linear where values below 0 have no logarithm", () => {
    const away = Float32Array.of(-120, -30, 0, 9);
    const all = groupsByIndex(new Uint8Array(4), 1);
    const found = summarize(away, all, { log: true, bins: 2, points: 5 });
    expect(found.log).toBe(false);
    expect([...found.edges]).toEqual([-120.5, -55.5, 9.5]);
    expect([...found.groups[0]!.bins]).toEqual([1, 3]);
    expect(summarize(values, groups, { log: true, bins: 2, points: 5 }).log).toBe(true);
  });

  it("build an axis for a single value and for none", () => {
    const one = summarize(values, groupsByIndex([4, 4, 4, 4, 0, 4, 4], 1), {
      log: false,
      bins: 2,
      points: 3,
    });
    expect([...one.edges]).toEqual([8, 8.5, 9]);
    const none = summarize(values, groupsByIndex([], 1), { log: false, bins: 2, points: 3 });
    expect(none.groups[0]!.cells).toBe(0);
  });
});

describe("genes by group", () => {
  it("have a mean and a share above zero or above the overall mean", () => {
    const groups = groupsByIndex(Uint16Array.of(0, 0, 1, 1), 3);
    const values = Float32Array.of(0, 4, 1, 2);
    const { mean, fraction } = geneMeans(values, groups, "zero");
    expect([...mean]).toEqual([2, 1.5, Number.NaN]);
    expect([...fraction]).toEqual([0.5, 1, Number.NaN]);
    // The mean of all four is 1.75.
    expect([...geneMeans(values, groups, "mean").fraction]).toEqual([0.5, 0.5, Number.NaN]);
  });

  it("are standardized to mean 0 and standard deviation 1", () => {
    const scaled = standardized(Float64Array.of(2, 4, 4, 4, 5, 5, 7, 9, Number.NaN));
    expect([...scaled]).toEqual([-1.5, -0.5, -0.5, -0.5, 0, 0, 1, 2, Number.NaN]);
    expect([...standardized(Float64Array.of(0.1, 0.1, 0.1))]).toEqual([0, 0, 0]);
  });
});
