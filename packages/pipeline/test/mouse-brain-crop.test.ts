import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { STEPS, stepKey } from "@stipple/contract";
import * as h5wasm from "h5wasm/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analysis, analysisSettings, listOutputFiles } from "../src/index.ts";

const CROP = resolve(import.meta.dirname, "../../../../shared/data/visium-mouse-brain-crop");

/** Sum of each gene over spots, from the input's own H5, by gene id. */
async function inputSums(): Promise<Map<string, number>> {
  await h5wasm.ready;
  const file = new h5wasm.File(join(CROP, "filtered_feature_bc_matrix.h5"), "r");
  const read = (name: string): ArrayLike<number> =>
    (file.get(`matrix/${name}`) as h5wasm.Dataset).value as ArrayLike<number>;
  const ids = (file.get("matrix/features/id") as h5wasm.Dataset).value as string[];
  const sums = new Map(ids.map((id) => [id, 0]));
  const indices = Array.from(read("indices"), Number);
  const data = Array.from(read("data"), Number);
  indices.forEach((gene, k) => sums.set(ids[gene], sums.get(ids[gene])! + data[k]));
  file.close();
  return sums;
}

describe.runIf(existsSync(CROP))("real Visium, mouse brain", () => {
  let results: string;
  beforeAll(async () => {
    results = await mkdtemp(join(tmpdir(), "stipple-crop-"));
    await analysis.run({
      input: CROP,
      results,
      settings: analysisSettings.parse({}),
      threads: 2,
      signal: new AbortController().signal,
    });
  }, 300_000);
  afterAll(() => rm(results, { recursive: true }));

  it("writes the files of all eight steps", async () => {
    const files = await listOutputFiles(results);
    for (const { number } of STEPS) expect(files[stepKey(number)].length).toBeGreaterThan(0);
  });

  it("takes the scale from the array: 0.73 µm per pixel", async () => {
    const scale = await readFile(join(results, "step0_output/sample.scale.json"), "utf8");
    expect(JSON.parse(scale).micronsPerPixel).toBeCloseTo(0.73, 1);
  });

  it("conserves every gene's count exactly in the h5ad", async () => {
    const output = join(results, "analysis_results/output");
    const file = new h5wasm.File(join(output, "cell_expression_processed.h5ad"), "r");
    const value = (name: string): ArrayLike<number> =>
      (file.get(name) as h5wasm.Dataset).value as ArrayLike<number>;
    const genes = (file.get("var/gene_ids") as h5wasm.Dataset).value as string[];
    const sums = Array.from(value("var/unassigned"), Number);
    const counts = Array.from(value("layers/counts/data"), Number);
    Array.from(value("layers/counts/indices"), Number).forEach((gene, k) => {
      sums[gene] += counts[k];
    });
    expect(counts.every(Number.isInteger)).toBe(true);
    expect(new Map(genes.map((id, gene) => [id, sums[gene]]))).toEqual(await inputSums());
    file.close();
  });

  it("recognizes mouse brain", async () => {
    const typing = JSON.parse(
      await readFile(join(results, "step5_output/sample.typing.json"), "utf8"),
    );
    expect(typing).toMatchObject({ species: "mouse", tissue: "brain" });
  });
});
