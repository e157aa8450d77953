import { describe, expect, it } from "vitest";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { ratesFrom } from "../../../model/rates.ts";
import { Random } from "@stipple/numerics/random";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { halveBins } from "./halved-bins.ts";
import { learnFromHalves, shapesOf } from "./learn-from-halves.ts";
import { GRIDS } from "../../../model/limits.ts";

const N_CELLS = 2000;

/**
 * Cells with one bin each; rates are gamma with mean 4, and counts are Poisson. The best linear estimate of a rate gives
 * its mean as much weight relative to the count as the gene has: `weights`.
 */
function gammaPoisson(weights: readonly number[], seed: number) {
  const random = new Random(seed);
  const mean = 4;
  const entries = weights.map((weight) =>
    Array.from({ length: N_CELLS }, () => random.poisson(random.gamma(mean * weight) / weight)),
  );
  const byGene = dense(entries, N_CELLS);
  const one = new Float32Array(N_CELLS).fill(1);
  const order = Uint32Array.from(one, (_, i) => i);
  const overlap: SparseMatrix = {
    nRows: N_CELLS,
    nCols: N_CELLS,
    indptr: Uint32Array.from({ length: N_CELLS + 1 }, (_, i) => i),
    indices: order,
    data: one,
  };
  const near = { width: 1, spot: Int32Array.from(order), weight: one };
  const profile = new Float32Array(weights.length).fill(mean);
  const fit = { membership: one, exposure: one, profile, k: 1 };
  return { tissue: { overlap, byGene, near }, fit, entries, mean, bins: [...order] };
}

function dense(rows: readonly (readonly number[])[], nCols: number): SparseMatrix {
  const kept = rows.map((row) => row.flatMap((n, i) => (n > 0 ? [[i, n]] : [])));
  const indptr = new Uint32Array(rows.length + 1);
  kept.forEach((row, i) => (indptr[i + 1] = indptr[i] + row.length));
  return {
    nRows: rows.length,
    nCols,
    indptr,
    indices: Uint32Array.from(kept.flat(), ([i]) => i),
    data: Float32Array.from(kept.flat(), ([, n]) => n),
  };
}

describe("shapes from halves of counts", () => {
  it("recovers the shapes used to draw gamma-Poisson counts", () => {
    const true_ = [...Array<number>(10).fill(0.1), ...Array<number>(10).fill(4)];
    const { tissue, fit, bins } = gammaPoisson(true_, 1);
    const halves = halveBins(tissue, fit, bins, { seed: 3 });
    const { shape, share } = shapesOf(true_.map((_, gene) => halves.logLikelihood(gene, 10)!));
    expect(share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 6);
    true_.forEach((known, gene) => {
      expect(shape[gene]).toBeGreaterThan(known / 3);
      expect(shape[gene]).toBeLessThan(known * 2);
    });
  });

  it("splits every count the same way each time and predicts with the posterior at half the exposure", () => {
    const { tissue, fit, bins, mean, entries } = gammaPoisson([1], 2);
    const halves = halveBins(tissue, fit, bins, { seed: 3 });
    const before = structuredClone(halves.gene(0));
    const gene = halves.gene(0);
    expect(gene).toEqual(before);
    const predicted = halves.predict(gene, 0, 2);
    for (let bin = 0; bin < 50; bin++) {
      expect(gene.evidence[bin] + gene.rest[bin]).toBe(entries[0][bin]);
      expect(predicted[bin]).toBeCloseTo(0.5 * ((2 * mean + gene.evidence[bin]) / (2 + 0.5)), 4);
    }
  });

  it("uses the other genes' shapes for genes with few counts", () => {
    const flat = new Float64Array(GRIDS.SHAPES.length);
    const clear = Float64Array.from(GRIDS.SHAPES, (shape) => (shape === 1 ? 0 : -1000));
    const { shape, ofOthers } = shapesOf([flat, clear, clear, clear, clear, clear]);
    // Lower bound of shapes spread evenly around 1, half a step (0.3 to 1) to either side.
    const known = Math.exp(0.48 * Math.log(0.3));
    expect(shape[0]).toBeCloseTo(known, 3);
    expect(ofOthers).toBeCloseTo(known, 3);
    const halves = halveBins({ ...gammaPoisson([1], 4).tissue }, gammaPoisson([1], 4).fit, [0], {
      seed: 1,
    });
    expect(halves.logLikelihood(0, 1e6)).toBeNull();
  });
});

it("learns all shapes at once and finds that such rates predict bins better than the surrounding bins", async () => {
  const known = Array.from({ length: 40 }, (_, gene) => (gene < 20 ? 0.5 : 8));
  const { tissue, fit, bins } = gammaPoisson([...known, 1e-9], 6);
  const spotsXy = {
    nRows: N_CELLS,
    data: Float64Array.from({ length: 2 * N_CELLS }, (_, i) =>
      i % 2 === 0 ? (i / 2) % 50 : Math.floor(i / 100),
    ),
  };
  const blocks = Array.from({ length: 20 }, (_, block) => bins.filter((bin) => bin % 20 === block));
  const whole = {
    ...tissue,
    spotsXy,
    cellsXy: spotsXy,
    pitchPx: 1,
    unevenSpots: false,
    looks: [],
    features: { data: new Float32Array(0), nCols: 0 },
    spotPca: { data: new Float32Array(0), nCols: 0 },
  };
  const models = [{ k: 1, weight: 1 }];
  const given = { ...fit, models, efficiency: fit.exposure };
  const varying = new Uint8Array(whole.byGene.nRows).fill(1);
  const options = { varying, seed: 1, blocks, pause: () => Promise.resolve() };
  const learned = await learnFromHalves(whole, given, options);
  expect(learned.source).toBe("model");
  expect(learned.medians!.model).toBeGreaterThan(learned.medians!.interpolation);
  expect(learned.medians!.model).toBeGreaterThanOrEqual(learned.medians!.spot);
  expect(learned.nBins).toBe(N_CELLS);
  known.forEach((shape, gene) => {
    expect(learned.shape[gene]).toBeGreaterThan(shape / 4);
    expect(learned.shape[gene]).toBeLessThan(shape * 1.5);
  });
  // A gene without counts gets the lower bound of all the others.
  expect(learned.shape[known.length]).toBeLessThan(3);
  expect(await learnFromHalves(whole, given, options)).toEqual(learned);
});

describe("rates of cells with their own bins", () => {
  /** Two cells share bin 0; the second has bin 1 to itself; a third has none. */
  const counts: SparseMatrix = dense(
    [
      [3, 0],
      [5, 2],
    ],
    2,
  );
  const rates = ratesFrom({
    membership: { nRows: 3, nCols: 1, data: Float32Array.of(1, 2, 1) },
    profile: { nRows: 1, nCols: 2, data: Float32Array.of(1.5, 0.5) },
    exposure: { nRows: 2, nCols: 1, data: Float32Array.of(2, 1) },
    nearSpot: { nRows: 3, nCols: 2, data: Int32Array.of(0, -1, 0, 1, -1, -1) },
    nearWeight: { nRows: 3, nCols: 2, data: Float32Array.of(1, 0, 0.5, 0.5, 0, 0) },
    spotTotals: rowSums(counts),
    source: new Uint8Array(2),
    shape: Float32Array.of(0.4, 7),
    ownBins: true,
    spotCounts: rowsOf(counts),
    geneCounts: rowsOf(transpose(counts)),
  });
  /** Observed over expected counts of the first cell's bin and of the second cell's two bins, by gene. */
  const ratios = [
    [3 / 3, (3 + 5) / (3 + 1.5)],
    [0, 2 / (1 + 0.5)],
  ];
  const known = ratios.map(([first, around], gene) => {
    const [a, b] = [
      [0.4, 1.5],
      [7, 0.5],
    ][gene];
    const posterior = (lambda: number, ratio: number): number => (lambda * (a + ratio)) / (a + 1);
    return [posterior(b, first), posterior(2 * b, around), b];
  });

  it("are weighted means of the model and the bins, or the model's if a cell has no bin", () => {
    for (const gene of [0, 1]) {
      rates.column(gene).forEach((rate, cell) => expect(rate).toBeCloseTo(known[gene][cell], 5));
    }
  });

  it("are the same by cell, for all genes or a subset", async () => {
    for (const cell of [0, 1, 2]) {
      const [some] = await rates.rows([cell], Uint32Array.of(1));
      const all = await rates.rows([cell]);
      for (const gene of [0, 1]) {
        expect(all[gene]).toBeCloseTo(known[gene][cell], 5);
      }
      expect(some).toBeCloseTo(known[1][cell], 5);
    }
  });
});
