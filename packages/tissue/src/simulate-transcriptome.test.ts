import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCountedSpots } from "./testing/counted-spots.ts";
import { median } from "@stipple/numerics/quantile";
import {
  transcriptomeFigures,
  type CountedSpots,
  type TranscriptomeFigures,
} from "./testing/transcriptome-figures.ts";
import { readTruth, type KnownTissue } from "./read-truth.ts";
import { simulateTissue, type SimulatedTissue } from "./simulate-tissue.ts";

const WHOLE = {
  sizeUm: 900,
  umPerPx: 1,
  cellDensity: 2500,
  nGenes: 18_000,
  umiPerSpot: 12_000,
  seed: 5,
};

describe("tissue with a whole transcriptome", () => {
  let folder: string;
  let tissue: SimulatedTissue;
  let known: KnownTissue;
  let spots: CountedSpots;
  let figures: TranscriptomeFigures;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-transcriptome-"));
    tissue = await simulateTissue({ ...WHOLE, out: join(folder, "a") });
    known = await readTruth(tissue.truth);
    spots = await readCountedSpots(tissue.outs);
    figures = transcriptomeFigures(spots, 3);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("has the requested number of genes, each once, including markers of absent types", () => {
    const symbols = known.genes.map(({ symbol }) => symbol);
    expect(new Set(symbols).size).toBe(18_000);
    expect(new Set(known.genes.map(({ id }) => id)).size).toBe(18_000);
    expect(symbols).toContain("EPCAM");
    expect(symbols).toContain("SFTPC");
  });

  it("is the same for the same seed", async () => {
    const small = { ...WHOLE, sizeUm: 300 };
    const [one, again] = await Promise.all(
      ["b", "c"].map(async (name) => {
        const { truth, outs } = await simulateTissue({ ...small, out: join(folder, name) });
        return { ...(await readTruth(truth)), spots: (await readCountedSpots(outs)).counts };
      }),
    );
    expect(again.rates.data).toEqual(one.rates.data);
    expect(again.counts).toEqual(one.counts);
    expect(again.spots).toEqual(one.spots);
  });

  it("reaches the requested depth, and draws the true counts from the rates", () => {
    expect(Math.abs(tissue.totalCounts / tissue.nSpots / WHOLE.umiPerSpot - 1)).toBeLessThan(0.05);
    const rate = known.rates.data.reduce((sum, value) => sum + value, 0);
    const count = known.counts.data.reduce((sum, value) => sum + value, 0);
    expect(Math.abs(count - rate)).toBeLessThan(5 * Math.sqrt(rate));
  });

  // The bounds include the two real sections of docs/simulation.md.
  it("has the abundance distribution of real sections", () => {
    const above = (limit: number): number =>
      figures.abundance.filter((one) => one > limit).length / figures.nGenes;
    const first = (n: number): number =>
      figures.abundance.slice(0, n).reduce((sum, one) => sum + one, 0) / 1e4;
    expect(above(0.1)).toBeGreaterThan(0.15);
    expect(above(0.1)).toBeLessThan(0.35);
    expect(above(1)).toBeGreaterThan(0.05);
    expect(above(1)).toBeLessThan(0.1);
    expect(above(10)).toBeGreaterThan(0.006);
    expect(above(10)).toBeLessThan(0.014);
    expect(first(100)).toBeGreaterThan(0.4);
    expect(first(100)).toBeLessThan(0.7);
    expect(first(1000)).toBeGreaterThan(0.8);
    expect(first(1000)).toBeLessThan(0.9);
  });

  it("varies between spots as real sections do: most genes weakly, few strongly", () => {
    const sorted = Float64Array.from(figures.dispersion).sort();
    const quantile = (q: number): number => sorted[Math.floor(q * (sorted.length - 1))];
    expect(quantile(0.1)).toBeGreaterThan(0.02);
    expect(quantile(0.5)).toBeGreaterThan(0.1);
    expect(quantile(0.5)).toBeLessThan(0.22);
    expect(quantile(0.9)).toBeGreaterThan(0.25);
    expect(quantile(0.9)).toBeLessThan(0.7);
    expect(median(figures.shared)).toBeGreaterThan(0.015);
    expect(median(figures.shared)).toBeLessThan(0.08);
  });

  it("gives mitochondrial and ribosomal genes a large share of the UMIs, and flat ones no differences", () => {
    const { nRows, nCols, data } = known.rates;
    const sums = new Float64Array(nCols);
    const types = [...new Set(known.type)];
    const byType = types.map(() => new Float64Array(nCols));
    for (let cell = 0; cell < nRows; cell++) {
      const own = byType[types.indexOf(known.type[cell])];
      for (let gene = 0; gene < nCols; gene++) {
        sums[gene] += data[cell * nCols + gene];
        own[gene] += data[cell * nCols + gene];
      }
    }
    const total = sums.reduce((sum, value) => sum + value, 0);
    const share = (role: string): number =>
      known.genes.reduce((sum, gene, i) => sum + (gene.role === role ? sums[i] : 0), 0) / total;
    for (const role of ["mitochondrial", "ribosomal"]) {
      expect(share(role)).toBeGreaterThan(0.05);
      expect(share(role)).toBeLessThan(0.3);
    }
    expect(share("silent")).toBeLessThan(0.001);
    const totals = byType.map((own) => own.reduce((sum, value) => sum + value, 0));
    const ratio = (role: string): number =>
      median(
        known.genes.flatMap((gene, i) => {
          if (gene.role !== role) return [];
          const levels = byType.map((own, type) => own[i] / totals[type]);
          return [Math.max(...levels) / Math.min(...levels)];
        }),
      );
    expect(ratio("flat")).toBeLessThan(2);
    expect(ratio("weak")).toBeGreaterThan(ratio("flat"));
    expect(ratio("lineage")).toBeGreaterThan(2 * ratio("weak"));
    expect(ratio("marker")).toBeGreaterThan(30);
  });

  it("rejects more rates than fit in memory", async () => {
    const given = { ...WHOLE, sizeUm: 2000, cellDensity: 9000, out: join(folder, "d") };
    await expect(simulateTissue(given)).rejects.toThrow(/more than the simulator can hold/);
  });
});
