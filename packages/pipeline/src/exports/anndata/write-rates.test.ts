import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as h5wasm from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { openTasks } from "@stipple/tasks/open-tasks";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { ratesFrom, type RateParts } from "../../model/rates.ts";
import { Random } from "@stipple/numerics/random";
import { rowSums, transpose } from "@stipple/numerics/sparse";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { AnnDataFile } from "../h5ad/anndata-file.ts";
import { rateLayers, writeRates, type RateSink } from "./write-rates.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-rates-"));
afterAll(() => rm(folder, { recursive: true }));

const [nCells, nGenes] = [500, 80];
const random = new Random(5);
const dense = Float32Array.from({ length: nCells * nGenes }, () => random.gamma(0.3));
const rates = {
  nCells,
  nGenes,
  rows: (cells: ArrayLike<number>) =>
    Promise.resolve(
      Float32Array.from(
        { length: cells.length * nGenes },
        (_, i) => dense[cells[Math.floor(i / nGenes)] * nGenes + (i % nGenes)],
      ),
    ),
};
const options = { signal: new AbortController().signal, progress: () => undefined };

it("leaves out the smallest rates if there are too many, and reports how much that is", async () => {
  const path = join(folder, "rates.h5ad");
  const file = await AnnDataFile.create(path);
  file.group("layers");
  const [summary] = await writeRates(rates, [rateLayers(file, rates, 10_000)], options);
  await file.finish();

  expect(summary.entries).toBeGreaterThan(9000);
  expect(summary.entries).toBeLessThanOrEqual(10_000);
  const all = dense.reduce((sum, value) => sum + value, 0);
  const small = dense.filter((value) => value < summary.droppedBelow);
  expect(summary.droppedFraction).toBeCloseTo(
    small.reduce((sum, value) => sum + value, 0) / all,
    5,
  );
  await h5wasm.ready;
  const read = new h5wasm.File(path, "r");
  const data = (read.get("layers/rate/data") as h5wasm.Dataset).value as Float32Array;
  expect(data).toHaveLength(summary.entries);
  expect(Math.min(...data)).toBeGreaterThanOrEqual(summary.droppedBelow);
  read.close();
});

it.each([
  ["spots around", false, RATE_SOURCES],
  ["own bins", true, RATE_SOURCES],
  ["spots around, all interpolated", false, RATE_SOURCES.slice(1, 2)],
  ["spots around, all of the nearest", false, RATE_SOURCES.slice(2)],
  ["own bins, all interpolated", true, RATE_SOURCES.slice(1, 2)],
])("writes the same bits on any number of threads: %s", async (_, ownBins, sources) => {
  const factors = simulatedFactors(ownBins, sources);
  const spotCounts = factors.counts;
  const held = ratesFrom({
    ...factors.parts,
    spotCounts: rowsOf(spotCounts),
    geneCounts: rowsOf(transpose(spotCounts)),
  });
  const written: unknown[] = [];
  for (const threads of [0, 2]) {
    await using tasks = openTasks({ threads: Math.max(1, threads), anyWork: true });
    const [wide, narrow] = [30_000, 4_000].map((maxEntries) => collector(maxEntries));
    const alone = collector(4_000);
    const few = collector(3_000, Uint32Array.of(4, 5, 77));
    const shared = { tasks, parts: held.parts, spotCounts };
    const given = { ...options, blockValues: 7 * held.nGenes, ...(threads > 0 && { shared }) };
    const summaries = await writeRates(held, [wide.sink, narrow.sink, few.sink], given);
    expect(await writeRates(held, [alone.sink], given)).toEqual([summaries[1]]);
    expect(narrow.parts).toEqual(alone.parts);
    expect(narrow.parts[1].length).toBeLessThan(wide.parts[1].length / 2);
    written.push({ summaries, parts: wide.parts, few: few.parts });
  }
  expect(written[1]).toEqual(written[0]);
});

/** A sink that keeps everything it receives. */
function collector(maxEntries: number, genes?: Uint32Array): { sink: RateSink; parts: number[][] } {
  const parts: number[][] = [[], [], [], []];
  const sink: RateSink = {
    maxEntries,
    ...(genes && { genes }),
    rounded: true,
    append: (...columns) => columns.forEach((column, i) => parts[i].push(...column)),
    finish: () => undefined,
  };
  return { sink, parts };
}

/** Fifty spots, 500 cells near them, and a model with six prototypes. */
function simulatedFactors(
  ownBins: boolean,
  sources: readonly RateSource[],
): { parts: RateParts; counts: SparseMatrix } {
  const [nSpots, k, width] = [50, 6, 3];
  const gammas = (nRows: number, nCols: number): Matrix<Float32Array> => ({
    nRows,
    nCols,
    data: Float32Array.from({ length: nRows * nCols }, () => random.gamma(0.3)),
  });
  const perSpot = 20;
  const counts: SparseMatrix = {
    nRows: nSpots,
    nCols: nGenes,
    indptr: Uint32Array.from({ length: nSpots + 1 }, (_, s) => s * perSpot),
    indices: Uint32Array.from({ length: nSpots * perSpot }, (_, i) => 4 * (i % perSpot)),
    data: Float32Array.from({ length: nSpots * perSpot }, () => 1 + random.below(9)),
  };
  const parts: RateParts = {
    membership: gammas(nCells, k),
    profile: gammas(k, nGenes),
    exposure: gammas(nSpots, k),
    nearSpot: {
      nRows: nCells,
      nCols: width,
      data: Int32Array.from({ length: nCells * width }, () => random.below(nSpots)),
    },
    nearWeight: gammas(nCells, width),
    spotTotals: rowSums(counts),
    source: Uint8Array.from({ length: nGenes }, (_, g) =>
      RATE_SOURCES.indexOf(sources[g % sources.length]),
    ),
    shape: Float32Array.from({ length: nGenes }, () => 0.1 + random.gamma(2)),
    ownBins,
  };
  return { parts, counts };
}

it("gives each sink its own genes, scaled by the total over all genes", async () => {
  const genes = Uint32Array.of(3, 40, 79);
  const seen: { indices: number[]; rates: number[]; normalized: number[]; rows: number } = {
    indices: [],
    rates: [],
    normalized: [],
    rows: 0,
  };
  const sink: RateSink = {
    maxEntries: Infinity,
    genes,
    append(lengths, indices, values, normalized) {
      seen.rows += lengths.length;
      seen.indices.push(...indices);
      seen.rates.push(...values);
      seen.normalized.push(...normalized);
    },
    finish: () => undefined,
  };
  const [summary] = await writeRates(rates, [sink], options);
  expect(summary).toEqual({ entries: 3 * nCells, droppedBelow: 0, droppedFraction: 0 });
  expect(seen.rows).toBe(nCells);
  expect(seen.indices.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 2]);
  expect(seen.rates.slice(3, 6)).toEqual(Array.from(genes, (gene) => dense[nGenes + gene]));
  const total = dense.subarray(nGenes, 2 * nGenes).reduce((sum, value) => sum + value, 0);
  expect(seen.normalized[4]).toBeCloseTo(Math.log1p((dense[nGenes + 40] * 1e4) / total), 4);
});
