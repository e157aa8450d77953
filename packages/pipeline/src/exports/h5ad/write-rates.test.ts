import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as h5wasm from "h5wasm/node";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../numerics/random.ts";
import { AnnDataFile } from "./anndata-file.ts";
import { writeRates } from "./write-rates.ts";

const folder = await mkdtemp(join(tmpdir(), "stipple-rates-"));
afterAll(() => rm(folder, { recursive: true }));

it("leaves out the smallest rates where there are too many, and says how much that is", async () => {
  const [nCells, nGenes] = [500, 80];
  const random = new Random(5);
  const dense = Float32Array.from({ length: nCells * nGenes }, () => random.gamma(0.3));
  const path = join(folder, "rates.h5ad");
  const file = await AnnDataFile.create(path);
  file.group("layers");
  const summary = await writeRates(
    file,
    { nCells, nGenes, rows: (from, to) => dense.slice(from * nGenes, to * nGenes) },
    { signal: new AbortController().signal, progress: () => undefined, maxEntries: 10_000 },
  );
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
