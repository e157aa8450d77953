import { expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { Random } from "@stipple/numerics/random";
import type { LabelProfiles } from "../../../reference/read-reference.ts";
import { spotProportions } from "./spot-proportions.ts";

const LABELS = ["Beta", "Delta", "Acinar"];
const GENES = 120;
const SPOTS = 60;
const UMIS = 4_000;
const { signal } = new AbortController();

/** 30 genes are raised ninefold in each label; the last 30 are the same in all. */
const reference: LabelProfiles = {
  labels: LABELS,
  genes: Uint32Array.from({ length: GENES }, (_, g) => g),
  profiles: Float64Array.from({ length: 3 * GENES }, (_, i) => {
    const own = Math.floor((i % GENES) / 30) === Math.floor(i / GENES);
    return (own ? 9 : 1) / (GENES + 8 * 30);
  }),
};

/** Shares that sum to 1; every third spot lacks the last label. */
const truth = Array.from({ length: SPOTS }, (_, spot) => {
  const random = new Random(spot + 1);
  const parts = [random.gamma(1), random.gamma(1), spot % 3 === 0 ? 0 : random.gamma(1)];
  const sum = parts[0] + parts[1] + parts[2];
  return parts.map((part) => part / sum);
});

function counts(factor: (gene: number) => number): SparseMatrix {
  const random = new Random(7);
  const indptr = new Uint32Array(GENES + 1);
  const [indices, data] = [[] as number[], [] as number[]];
  for (let g = 0; g < GENES; g++) {
    truth.forEach((shares, spot) => {
      let mean = 0;
      shares.forEach((share, k) => (mean += UMIS * share * reference.profiles[k * GENES + g]));
      const value = random.poisson(mean * factor(g));
      if (value === 0) return;
      indices.push(spot);
      data.push(value);
    });
    indptr[g + 1] = indices.length;
  }
  return {
    nRows: GENES,
    nCols: SPOTS,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

function largestError(found: { data: Float32Array }): number {
  return Math.max(...truth.flat().map((share, i) => Math.abs(found.data[i] - share)));
}

it("finds the shares of mixtures, with intervals that contain them", async () => {
  const { share, low, high } = await spotProportions(
    reference,
    counts(() => 1),
    signal,
  );
  expect(largestError(share)).toBeLessThan(0.06);
  truth.flat().forEach((value, i) => {
    expect(low.data[i]).toBeLessThanOrEqual(value + 1e-3);
    expect(high.data[i]).toBeGreaterThanOrEqual(value - 1e-3);
  });
  for (let spot = 0; spot < SPOTS; spot++) {
    expect(share.data.subarray(3 * spot, 3 * spot + 3).reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  }
});

it("finds them even if each gene is captured better or worse than in the reference", async () => {
  const random = new Random(3);
  const factors = Array.from({ length: GENES }, () => Math.exp(0.6 * random.normal()));
  const { share } = await spotProportions(
    reference,
    counts((g) => factors[g]),
    signal,
  );
  expect(largestError(share)).toBeLessThan(0.12);
});

it("gives no shares to a spot without counts", async () => {
  const none: SparseMatrix = { ...counts(() => 1), nCols: SPOTS + 1 };
  const { share, high } = await spotProportions(reference, none, signal);
  expect([...share.data.subarray(3 * SPOTS)]).toEqual([0, 0, 0]);
  expect([...high.data.subarray(3 * SPOTS)]).toEqual([0, 0, 0]);
});
