import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readResult } from "../../src/store/results-folder.ts";
import { pythonHas, writeSimulatedExports } from "./simulated-exports.ts";

describe.runIf(pythonHas("anndata"))("the h5ad in Python", () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("opens and conserves the counts", async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    const { results, output } = await writeSimulatedExports(folder);
    const check = spawnSync(
      "python3",
      [join(import.meta.dirname, "check_h5ad.py"), join(output, "cell_expression_processed.h5ad")],
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
