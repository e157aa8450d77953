import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readResult } from "../../src/store/results-folder.ts";
import { combinedStudy } from "../../src/study/combine/combined-study.ts";
import { combinePart, STUDY_PARTS } from "../../src/study/combine/combine-samples.ts";
import { writeJointCells } from "../../src/study/testing/joint-cells.ts";
import { pythonHas, rHas, writeSimulatedExports } from "./simulated-exports.ts";

const tools = {
  anndata: pythonHas("anndata"),
  squidpy: pythonHas("scanpy") && pythonHas("squidpy"),
  spatialdata: pythonHas("spatialdata") && pythonHas("spatialdata_plot"),
  geopandas: pythonHas("geopandas"),
  seurat: rHas("Seurat"),
};

// One file for all tools, because they all use the exports of one sample.
describe.runIf(Object.values(tools).includes(true))("the exports", () => {
  let folder: string;
  let results: string;
  let output: string;
  let plots: string;
  /** Results of a sample in which no gene is reliable. */
  let poor: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    plots = join(folder, "plots");
    await mkdir(plots);
    ({ results, output } = await writeSimulatedExports(join(folder, "good")));
    ({ output: poor } = await writeSimulatedExports(join(folder, "poor"), { reliable: false }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The last line printed by a check script in this folder. */
  function checked(program: string, script: string, ...args: string[]): string {
    const check = spawnSync(program, [join(import.meta.dirname, script), ...args], {
      encoding: "utf8",
    });
    expect(check.status, check.stderr).toBe(0);
    return check.stdout.trim().split("\n").at(-1)!;
  }
  const python = (script: string, ...args: string[]): Record<string, number> =>
    JSON.parse(checked("python3", script, ...args)) as Record<string, number>;
  const h5ad = (of: string): string => join(of, "cell_expression_processed.h5ad");

  it.runIf(tools.anndata)("the h5ad opens in anndata and conserves the counts", async () => {
    const report = python("check_h5ad.py", h5ad(output));
    const spots = await readResult(results, "spots/counts");
    const sums = new Array<number>(50).fill(0);
    spots.indices.forEach((gene, k) => (sums[gene] += spots.data[k]));
    expect(report.gene_sums).toEqual(sums);
    expect(report["protein"]).toEqual({ CD3: expect.any(Number), HLA_DR: expect.any(Number) });
    expect(report).toMatchObject({
      library: "Kidney 3",
      organism: "NCBITaxon:10090",
      assay: "EFO:0010961",
      terms: {
        Astrocyte: ["CL:0000127"],
        Microglia: ["CL:0000129"],
        Neuron: ["CL:0000540"],
        Unknown: ["unknown"],
      },
      markers: ["rank_genes_groups", "rank_genes_groups_cluster"],
    });
  });

  it.runIf(tools.anndata)("the h5ad holds annotations beside what was computed", async () => {
    const report = python("check_h5ad.py", h5ad(output));
    const typeOf = await readResult(results, "cells/cell_type");
    const [neuron, astrocyte, microglia, unknown] = [0, 1, 2, 3].map(
      (type) => typeOf.filter((own, cell) => cell > 2 && own === type).length,
    );
    expect(report).toMatchObject({
      annotated: {
        cell_type_annotated: {
          Neuron: neuron + astrocyte,
          Microglia: microglia,
          Unknown: unknown,
          Tanycyte: 3,
        },
        clusters_My_halves: { Even: 100, Odd: 100 },
      },
      groups: { group_Rim_left: 3 },
      gene_lists: { Stress: ["Gene1", "Gene2"] },
      notes: [["A vessel", 10, 20]],
    });
  });

  it.runIf(tools.squidpy)("scanpy and squidpy can use the h5ad and plot it", () => {
    const report = python("check_h5ad.py", h5ad(output), "--tools", plots);
    expect(report).toMatchObject({ scanpy: expect.any(String), squidpy: expect.any(String) });
  });

  it.runIf(tools.squidpy)("scanpy and squidpy work when no gene is reliable", () => {
    const report = python("check_h5ad.py", h5ad(poor), "--tools", plots);
    expect(report).toMatchObject({ markers: [], squidpy: expect.any(String) });
  });

  it.runIf(tools.spatialdata)(
    "spatialdata.zarr opens, agrees with the h5ad, and can be plotted",
    () => {
      expect(python("check_spatialdata.py", output, "--plots", plots)).toMatchObject({
        shape: [200, 50],
        image: [3, 1000, 1000],
        labels: [1000, 1000],
        shapes: { cells: 200, nuclei: 199, spots: 20, regions: 1 },
        regions: { Nest: ["#aa0000", "Tumor", 500 ** 2 - 100 ** 2 + 100 ** 2, true] },
        tables: { table: [200, 50], spot_counts: [20, 50] },
        channels: [
          ["r", "FF0000", 255],
          ["g", "00FF00", 255],
          ["b", "0000FF", 255],
        ],
      });
    },
  );

  it.runIf(tools.spatialdata)("spatialdata.zarr opens when no gene is reliable", () => {
    expect(python("check_spatialdata.py", poor)).toMatchObject({ shape: [200, 50] });
  });

  it.runIf(tools.geopandas)("Parquet and GeoJSON open, and no two cells overlap", () => {
    const report = python("check_files.py", output, plots);
    expect(report).toMatchObject({ cells: 200, nuclei: 199, assigned: 3 });
    expect(report.neighbors).toBeGreaterThan(400);
    expect(report.overlap_um2).toBeLessThan(1e-9);
    expect(report.full_overlap_px2).toBeLessThan(1e-9);
    expect(report.light_overlap_px2).toBeLessThan(1e-9);
    expect(report.light_bytes).toBeLessThan(300);
    // Simplified by 1 µm = 2 px.
    expect(report.light_away_px).toBeLessThan(2.01);
  });

  it.runIf(tools.seurat)(
    "the Seurat folder is read by its own script in R, and plotted",
    async () => {
      const counts = await readResult(results, "cells/counts");
      const total = counts.data.reduce((sum, count) => sum + count, 0);
      const read = checked("Rscript", "check_seurat.R", join(output, "seurat"), plots);
      expect(read).toBe(`200 cells, 50 genes, ${total} UMIs of Kidney 3`);
    },
  );

  describe("of several samples", () => {
    let combined: string;
    let fewer: string;
    beforeAll(async () => {
      combined = join(folder, "combined");
      ({ output: fewer } = await writeSimulatedExports(join(folder, "fewer"), {
        ...{ genes: 45, sampleName: "Kidney 3" },
      }));
      const { signal } = new AbortController();
      const space = join(folder, "space.parquet");
      // All but the last cell of each.
      await writeJointCells(space, { "A 1": 199, "B/2": 199 });
      const study = await combinedStudy(
        [
          {
            ...{ name: "A 1", exports: output },
            design: { condition: "normal", patient: "001", cluster: "x" },
          },
          { name: "B/2", exports: fewer, design: { condition: "tumor", patient: "" } },
        ],
        ["condition", "patient", "cluster"],
        { path: space, signal },
      );
      for (const part of STUDY_PARTS) {
        await combinePart(combined, part, study, { threads: 1, signal });
      }
    });

    it.runIf(tools.spatialdata)("one h5ad and one SpatialData open as the samples do", () => {
      const samples = [`A_1=${output}`, `B_2=${fewer}`];
      expect(python("check_study.py", combined, ...samples, "--spatialdata")).toMatchObject({
        shape: [400, 45],
        columns: ["sample", "condition", "patient", "study_cluster", "cell_type"],
        design: { condition: ["normal", "tumor"], patient: ["001", ""] },
        notes: [
          "The samples have different genes: only the 45 that all of them have are kept, of up to 50; B/2 has 45.",
        ],
        sdata_columns: ["sample", "condition", "patient"],
        joint: { placed: 398, clusters: { 0: 200, 1: 198 }, last_before: [197, 1], colors: 2 },
      });
    });

    it.runIf(tools.seurat)("one Seurat folder is read in R", () => {
      const singles = [join(output, "seurat"), join(fewer, "seurat")];
      const read = checked("Rscript", "check_study.R", join(combined, "seurat"), plots, ...singles);
      expect(read).toMatch(/^400 cells, 45 genes, \d+ UMIs of 2 samples$/);
    });
  });
});
