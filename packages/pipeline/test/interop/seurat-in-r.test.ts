import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readResult } from "../../src/store/results-folder.ts";
import { writeSimulatedExports } from "./simulated-exports.ts";

const hasSeurat =
  spawnSync("Rscript", ["-e", 'quit(status = !requireNamespace("Seurat", quietly = TRUE))'])
    .status === 0;

describe.runIf(hasSeurat)("the Seurat folder in R", () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is read by its own script", async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    const { results, output } = await writeSimulatedExports(folder);
    const check = spawnSync(
      "Rscript",
      [join(import.meta.dirname, "check_seurat.R"), join(output, "seurat")],
      { encoding: "utf8" },
    );
    expect(check.status, check.stderr).toBe(0);
    const counts = await readResult(results, "cells/counts");
    const total = counts.data.reduce((sum, count) => sum + count, 0);
    expect(check.stdout.trim().split("\n").at(-1)).toBe(`200 cells, 50 genes, ${total} UMIs`);
  }, 120_000);
});
