import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as h5wasm from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../numerics/random.ts";
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
  rows: (from: number, to: number) => dense.slice(from * nGenes, to * nGenes),
};
const options = { signal: new AbortController().signal, progress: () => undefined };

it("leaves out the smallest rates where there are too many, and says how much that is", async () => {
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

it("gives each sink its own genes, scaled by the total over all genes", async () => {
  const genes = Uint32Array.of(3, 40, 79);
  const seen: { indices: number[]; rates: number[]; normalised: number[]; rows: number } = {
    indices: [],
    rates: [],
    normalised: [],
    rows: 0,
  };
  const sink: RateSink = {
    maxEntries: Infinity,
    genes,
    append(lengths, indices, values, normalised) {
      seen.rows += lengths.length;
      seen.indices.push(...indices);
      seen.rates.push(...values);
      seen.normalised.push(...normalised);
    },
    finish: () => undefined,
  };
  const [summary] = await writeRates(rates, [sink], options);
  expect(summary).toEqual({ entries: 3 * nCells, droppedBelow: 0, droppedFraction: 0 });
  expect(seen.rows).toBe(nCells);
  expect(seen.indices.slice(0, 6)).toEqual([0, 1, 2, 0, 1, 2]);
  expect(seen.rates.slice(3, 6)).toEqual(Array.from(genes, (gene) => dense[nGenes + gene]));
  const total = dense.subarray(nGenes, 2 * nGenes).reduce((sum, value) => sum + value, 0);
  expect(seen.normalised[4]).toBeCloseTo(Math.log1p((dense[nGenes + 40] * 1e4) / total), 4);
});
