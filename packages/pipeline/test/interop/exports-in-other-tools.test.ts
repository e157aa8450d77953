import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readResult } from "../../src/store/results-folder.ts";
import { pythonHas, rHas, writeSimulatedExports } from "./simulated-exports.ts";

const tools = {
  anndata: pythonHas("anndata"),
  squidpy: pythonHas("scanpy") && pythonHas("squidpy"),
  spatialdata: pythonHas("spatialdata"),
  seurat: rHas("Seurat"),
};

// One file for all tools, because the exports of one sample serve them all.
describe.runIf(Object.values(tools).includes(true))("the exports", () => {
  let folder: string;
  let results: string;
  let output: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    ({ results, output } = await writeSimulatedExports(folder));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The last line that a check of this folder prints. */
  function checked(program: string, script: string, ...args: string[]): string {
    const check = spawnSync(program, [join(import.meta.dirname, script), ...args], {
      encoding: "utf8",
    });
    expect(check.status, check.stderr).toBe(0);
    return check.stdout.trim().split("\n").at(-1)!;
  }
  const h5ad = () => join(output, "cell_expression_processed.h5ad");

  it.runIf(tools.anndata)("the h5ad opens in anndata and conserves the counts", async () => {
    const report = JSON.parse(checked("python3", "check_h5ad.py", h5ad()));
    const spots = await readResult(results, "spots/counts");
    const sums = new Array<number>(50).fill(0);
    spots.indices.forEach((gene, k) => (sums[gene] += spots.data[k]));
    expect(report.gene_sums).toEqual(sums);
  });

  it.runIf(tools.squidpy)("scanpy and squidpy work on the h5ad", () => {
    const report = JSON.parse(checked("python3", "check_h5ad.py", h5ad(), "--tools"));
    expect(report).toMatchObject({ scanpy: expect.any(String), squidpy: expect.any(String) });
  });

  it.runIf(tools.spatialdata)("spatialdata.zarr opens, and its table is that of the h5ad", () => {
    expect(JSON.parse(checked("python3", "check_spatialdata.py", output))).toMatchObject({
      shape: [200, 50],
      image: [3, 1000, 1000],
      shapes: { cells: 200, nuclei: 199, spots: 20 },
    });
  });

  it.runIf(tools.seurat)("the Seurat folder is read by its own script in R", async () => {
    const counts = await readResult(results, "cells/counts");
    const total = counts.data.reduce((sum, count) => sum + count, 0);
    const read = checked("Rscript", "check_seurat.R", join(output, "seurat"));
    expect(read).toBe(`200 cells, 50 genes, ${total} UMIs`);
  });
});
