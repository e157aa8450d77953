import { mkdtemp, readFile, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { STEPS, stepKey } from "@stipple/contract";
import { analysisSettings, listOutputFiles, analysis } from "@stipple/pipeline";
import { readResult } from "@stipple/pipeline/results";
import * as h5wasm from "h5wasm/node";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulateTissue, type SimulatedTissue } from "./simulate-tissue.ts";

const UM_PER_PX = 0.8;

describe("first-generation Spatial Transcriptomics, from tables and a JPEG to the h5ad", () => {
  let folder: string;
  let results: string;
  let tissue: SimulatedTissue;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-st-"));
    results = join(folder, "results");
    const out = join(folder, "sample");
    tissue = await simulateTissue({
      out,
      platform: "st",
      sizeUm: 800,
      umPerPx: UM_PER_PX,
      nGenes: 200,
      seed: 3,
    });
    await sharp(tissue.image).jpeg({ quality: 92 }).toFile(join(out, "image.jpg"));
    await unlink(tissue.image);
    await analysis.run({
      input: out,
      results,
      settings: analysisSettings.parse({ platform: "st" }),
      threads: 2,
      signal: new AbortController().signal,
    });
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The table as written: gene counts of each spot under tissue. */
  async function table(): Promise<Map<string, Map<string, number>>> {
    const rows = (text: string) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t"));
    const coordinates = await readFile(join(tissue.outs, "spot_coordinates.tsv"), "utf8");
    const inTissue = new Set(
      rows(coordinates).flatMap(([x, y, , , , , selected]) =>
        selected === "1" ? [`${x}x${y}`] : [],
      ),
    );
    const bytes = await readFile(join(tissue.outs, "counts.tsv.gz"));
    const [header, ...lines] = rows(gunzipSync(bytes).toString());
    return new Map(
      lines
        .filter(([name]) => inTissue.has(name))
        .map(([name, ...counts]) => [
          name,
          new Map(counts.map((count, i) => [header[i + 1], Number(count)] as const)),
        ]),
    );
  }

  it("runs all steps at the scale of the array", async () => {
    const files = await listOutputFiles(results);
    for (const { number } of STEPS) expect(files[stepKey(number)].length).toBeGreaterThan(0);
    const scale = await readResult(results, "sample/scale");
    expect(scale).toMatchObject({ pitchUm: 200, spotSizeUm: 100, spotShape: "disc" });
    expect(scale.micronsPerPixel / UM_PER_PX).toBeCloseTo(1, 2);
    const found = (await readResult(results, "cells/xy")).nRows;
    expect(found / tissue.nCells).toBeGreaterThan(0.6);
    const report = await readFile(join(results, "analysis_results/output/report.html"), "utf8");
    expect(report).toContain("Spatial Transcriptomics");
  });

  it("keeps every spot's counts as in the table", async () => {
    const known = await table();
    const barcode = await readResult(results, "spots/barcode");
    const genes = await readResult(results, "genes/symbol");
    const counts = await readResult(results, "spots/counts");
    expect(new Set(barcode)).toEqual(new Set(known.keys()));
    expect(barcode).toHaveLength(tissue.nSpots);
    barcode.forEach((name, row) => {
      const expected = [...known.get(name)!].filter(([, count]) => count > 0);
      const found: [string, number][] = [];
      for (let k = counts.indptr[row]; k < counts.indptr[row + 1]; k++) {
        found.push([genes[counts.indices[k]], counts.data[k]]);
      }
      expect(new Map(found)).toEqual(new Map(expected));
    });
  });

  it("conserves every gene's count in the h5ad", async () => {
    await h5wasm.ready;
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
    file.close();
    const expected = new Map<string, number>();
    for (const spot of (await table()).values()) {
      for (const [gene, count] of spot) expected.set(gene, (expected.get(gene) ?? 0) + count);
    }
    expect(counts.every(Number.isInteger)).toBe(true);
    expect(new Map(genes.map((id, gene) => [id, sums[gene]]))).toEqual(expected);
    expect(sums.reduce((sum, count) => sum + count, 0)).toBe(tissue.totalCounts);
  });
});
