import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { analysis } from "@stipple/pipeline";
import { analysisSettings } from "@stipple/pipeline/settings";
import { binOwners } from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/bin-owners";
import {
  fineGrid,
  type BinGrid,
} from "@stipple/pipeline/internal/steps/3-matrix-integration/fine-bins/bin-grid";
import { FINE_BIN_UM } from "@stipple/pipeline/internal/readers/hd-visium/read-fine-bins";
import { readResult } from "@stipple/pipeline/results";

/**
 * Finds the cells of an HD slide (steps 0 to 2), and writes which nucleus each 2 µm bin lies in. Returns that file's
 * path.
 */
export async function makeFineCells(input: string, results: string): Promise<string> {
  const labels = join(results, "nuclei-in-bins.json");
  if (existsSync(labels)) return labels;
  for (const step of [0, 1, 2] as const) {
    await analysis.runStep(step, {
      input,
      results,
      settings: analysisSettings.parse({ platform: "hd_visium", resolution: "8" }),
      threads: availableParallelism(),
      signal: new AbortController().signal,
    });
  }
  const { grid, cells } = await readFineCells(results);
  const { owner } = binOwners(grid, { ...cells, outlines: cells.nuclei }, 0);
  await writeFile(labels.replace(".json", ".i4"), new Uint8Array(owner.buffer));
  const { rows, cols, firstRow, firstCol } = grid;
  await writeFile(labels, JSON.stringify({ rows, cols, firstRow, firstCol }));
  return labels;
}

/** The grid of 2 µm bins and the cells that bins are assigned to. */
export async function readFineCells(results: string): Promise<{
  grid: BinGrid;
  cells: Parameters<typeof binOwners>[1];
}> {
  const scale = await readResult(results, "sample/scale");
  const grid = fineGrid(
    await readResult(results, "spots/array"),
    await readResult(results, "spots/xy"),
    Math.round(scale.spotSizeUm / FINE_BIN_UM),
  );
  if (!grid) throw new Error("The bins lie on no grid");
  const xy = await readResult(results, "cells/xy");
  return {
    grid,
    cells: {
      nuclei: await readResult(results, "nuclei/polygon"),
      outlines: await readResult(results, "cells/polygon"),
      xy,
      may: new Uint8Array(xy.nRows).fill(1),
    },
  };
}
