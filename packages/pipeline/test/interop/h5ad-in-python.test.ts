import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readResult } from "../../src/store/results-folder.ts";
import { projectionAnalysis } from "../../src/steps/6-projection-analysis/step.ts";
import { finalization } from "../../src/steps/7-finalization/step.ts";
import { runStepOn, writeSimulatedResults } from "../../src/store/testing/simulated-results.ts";

/** Only where a Python with anndata is at hand; nothing else of Stipple needs one. */
const hasAnnData =
  spawnSync("python3", [
    "-c",
    "import importlib.util, sys; sys.exit(importlib.util.find_spec('anndata') is None)",
  ]).status === 0;

describe.runIf(hasAnnData)("the h5ad in Python", () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("opens and conserves the counts", async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    const { results, files } = await writeSimulatedResults(folder, {
      cells: 200,
      spots: 20,
      genes: 50,
    });
    await runStepOn(projectionAnalysis, results, files, {
      params: { figureSidePx: 100, geneFigures: 0 },
    });
    await runStepOn(finalization, results, files);
    const check = spawnSync(
      "python3",
      [
        join(import.meta.dirname, "check_h5ad.py"),
        join(results, "analysis_results/output/cell_expression_processed.h5ad"),
      ],
      { encoding: "utf8" },
    );
    expect(check.status, check.stderr).toBe(0);
    const report = JSON.parse(check.stdout.trim().split("\n").at(-1)!);
    const spots = await readResult(results, "spots/counts");
    const sums = new Array<number>(50).fill(0);
    spots.indices.forEach((gene, k) => (sums[gene] += spots.data[k]));
    expect(report.gene_sums).toEqual(sums);
  });
});
