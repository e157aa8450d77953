import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { pythonHas, writeSimulatedExports } from "./simulated-exports.ts";

describe.runIf(pythonHas("spatialdata"))("spatialdata.zarr in Python", () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("opens, and its table is that of the h5ad", async () => {
    folder = await mkdtemp(join(tmpdir(), "stipple-interop-"));
    const { output } = await writeSimulatedExports(folder);
    const check = spawnSync(
      "python3",
      [join(import.meta.dirname, "check_spatialdata.py"), output],
      { encoding: "utf8" },
    );
    expect(check.status, check.stderr).toBe(0);
    expect(JSON.parse(check.stdout.trim().split("\n").at(-1)!)).toMatchObject({
      shape: [200, 50],
      image: [3, 1000, 1000],
      shapes: { cells: 200, nuclei: 199, spots: 20 },
    });
  }, 120_000);
});
