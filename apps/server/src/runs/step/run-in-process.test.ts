import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { runInProcess } from "./run-in-process.ts";

const SAMPLE = [
  "tissue_positions.csv",
  "scalefactors_json.json",
  "filtered_feature_bc_matrix.h5",
  "tissue.tif",
];
const named = (files: readonly string[]) =>
  files.map((name) => ({ slot: name.split(".")[0], name, size: 1, digest: name }));
const USUAL = {
  settings: { seed: 1, platform: "visium", staining: "h_and_e", analysisType: "basic" },
  parameters: {},
  threads: 1,
} as const;
const ALONE = {
  limits: { memoryMb: 512, seconds: 60 },
  listener: { progress: () => {}, log: () => {}, failure: () => {} },
};

it("has flushed its last file to disk when a canceled step ends, which is no failure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-step-"));
  const results = join(folder, "results");
  const canceled = new AbortController();
  const failures: string[] = [];
  const outcome = await runInProcess(
    {
      task: "step",
      step: 0,
      input: join(folder, "input"),
      results,
      inputs: named(SAMPLE),
      ...USUAL,
    },
    {
      ...ALONE,
      listener: { ...ALONE.listener, failure: (detail) => failures.push(detail) },
      signal: canceled.signal,
      provide: async (_, signal) => {
        canceled.abort();
        // The step is canceled while a file is half written; its process is long gone by the time that file exists.
        await sleep(3_000);
        await mkdir(results, { recursive: true });
        await writeFile(join(results, "late"), "");
        signal.throwIfAborted();
      },
    },
  );
  expect(outcome).toEqual({ kind: "cancelled" });
  expect(failures).toEqual([]);
  expect(existsSync(join(results, "late"))).toBe(true);
  await rm(folder, { recursive: true });
});

it("checks a reference before the first step", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stipple-plan-"));
  const [input, results] = [join(folder, "input"), join(folder, "results")];
  await mkdir(input);
  const asked: string[][] = [];
  const outcome = await runInProcess(
    {
      task: "plan",
      step: 0,
      input,
      results,
      inputs: named([...SAMPLE, "reference.h5ad"]),
      ...USUAL,
    },
    {
      ...ALONE,
      signal: new AbortController().signal,
      provide: async (needs) => {
        asked.push([...needs.inputs]);
        for (const name of needs.inputs) await writeFile(join(input, name), "no cells");
      },
    },
  );
  expect(asked).toEqual([["reference.h5ad"]]);
  expect(outcome).toMatchObject({
    kind: "failed",
    fault: "data",
    message: expect.stringMatching(/^The reference reference\.h5ad cannot be read as an h5ad file/),
  });
  await rm(folder, { recursive: true });
});
