import { givePlan } from "./give-plan.ts";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { STEPS, type WorkflowStatus } from "@stipple/contract";
import { analysis, analysisSettings } from "@stipple/pipeline";
import { simulateTissue } from "@stipple/tissue";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { foundSize, sizeOf } from "../src/runs/estimate/run-size.ts";
import { stepSecondsOf } from "../src/runs/estimate/step-seconds.ts";
import { h5Contents } from "./h5-contents.ts";
import { fetchResults } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { TestWorker } from "./worker.ts";

let server: TestServer;
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  // A smaller tissue in place of the sample dataset.
  const folder = join(server.config.dataDir, "sample");
  const sample = openSampleDataset(folder);
  await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 300, nGenes: 200 });
  files = await sample.files();
});
afterAll(() => server[Symbol.asyncDispose]());

const NAME = "Twice begun";

async function subscribe(userId: string): Promise<void> {
  await givePlan(server.context.database.db, userId, {
    id: "sub_of_runs",
    tier: "enterprise",
    period_start: new Date(Date.now() - 1000),
  });
}

/** The sample under another digest: compressed again, with another name inside. */
async function otherCounts(number: number): Promise<Record<string, string>> {
  const [slot, path] = [...files].find(([, name]) => name.endsWith("matrix.mtx.gz"))!;
  const other = join(server.config.dataDir, `${number}`, "matrix.mtx.gz");
  await mkdir(dirname(other), { recursive: true });
  const text = gunzipSync(await readFile(path)).toString();
  await writeFile(other, gzipSync(text.replace("\n", `\n%${number}\n`)));
  return { [slot]: other };
}

async function requestRun(token: string, change: Record<string, string> = {}) {
  const project = await server.newProject(token, NAME);
  await server.context.uploads.fill(project, new Map([...files, ...Object.entries(change)]));
  const body = { project_id: project, start_step: 0 };
  return { project, ...(await server.call("POST", "/run_workflow", { token, body })) };
}

async function startRun(token: string, change: Record<string, string> = {}): Promise<string> {
  const { project, status } = await requestRun(token, change);
  expect(status).toBeLessThan(203);
  return project;
}

async function until(
  token: string,
  project: string,
  reached: (status: WorkflowStatus) => boolean,
): Promise<WorkflowStatus> {
  const percents: number[] = [];
  for (let waited = 0; waited < 120_000; waited += 50) {
    const { json } = await server.call("GET", `/status?project_id=${project}`, { token });
    percents.push(json.percent);
    expect(percents.at(-1)).toBeGreaterThanOrEqual(percents.at(-2) ?? 0);
    if (reached(json)) return json;
    if (isFinal(json)) throw new Error(`The run has ${json.status}: ${json.error}`);
    await sleep(50);
  }
  throw new Error("The run did not get there within two minutes.");
}

const isFinal = ({ status }: WorkflowStatus) => status === "completed" || status === "failed";

/** Files that contain times or durations, the checksum of such a file, or the path of the input. */
const TIMED =
  /(^|\/)(step\.json|provenance\.json|report\.html|step7_output\/summary\.json|.*\.h5ad|\.inputs\.json)$/;
const H5AD = "analysis_results/output/cell_expression_processed.h5ad";

async function checksums(folder: string): Promise<Record<string, string>> {
  const sums: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (!entry.isFile() || TIMED.test(name)) continue;
    sums[name] = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
  }
  return sums;
}

describe("a worker", () => {
  it.runIf(process.env["LONG_TESTS"])(
    "killed mid-step hands its run to one with a separate disk, with the same result",
    async () => {
      const token = await server.signUp();
      let project: string;
      {
        await using worker = new TestWorker(server, join(server.config.dataDir, "disk-1"));
        project = await startRun(token);
        await until(token, project, (now) => now.current_step === 2 && now.step_progress > 0);
        const steps = worker.steps();
        await worker.kill("SIGKILL");
        expect(steps.length).toBeGreaterThan(0);
        // Its step processes exit with it, so nothing else writes to the project.
        await expect.poll(() => steps.filter((pid) => existsSync(`/proc/${pid}/exe`))).toEqual([]);
      }
      const halfway = await until(token, project, () => true);
      expect(halfway.status).toBe("processing");
      expect(halfway.output_files.step_1).not.toEqual([]);
      expect(halfway.output_files.step_2).toEqual([]);

      // Only the database and the storage survive the first worker.
      await rm(join(server.config.dataDir, "disk-1"), { recursive: true });
      await using worker = new TestWorker(server, join(server.config.dataDir, "disk-2"));
      const end = await until(token, project, isFinal);
      expect([end.status, end.error, end.percent]).toEqual(["completed", null, 100]);
      // Finished steps were not rerun.
      expect(worker.output).not.toMatch(/"task":"step","step":[01]/);
      expect(Object.values(end.output_files).every((list) => list.length > 0)).toBe(true);

      const undisturbed = join(server.config.dataDir, "plain", "results");
      const input = join(server.config.dataDir, "plain", "input");
      for (const { name, storageKey } of await server.context.uploads.inputs(project)) {
        await server.context.storage.fetchTo(storageKey, join(input, name));
      }
      await analysis.run({
        input,
        results: undisturbed,
        settings: analysisSettings.parse({ sampleName: NAME }),
        threads: 2,
        signal: new AbortController().signal,
      });
      const results = join(server.config.dataDir, "results");
      await fetchResults(server, project, results);
      // A finished run leaves nothing on its worker's disk.
      const scratch = await readdir(join(server.config.dataDir, "disk-2", "scratch"), {
        recursive: true,
      });
      expect(scratch.filter((path) => path.includes("step"))).toEqual([]);
      expect(await checksums(results)).toEqual(await checksums(undisturbed));
      const expression = await h5Contents(join(results, H5AD));
      expect(Object.keys(expression)).toContain("/layers/counts/data");
      expect(expression).toEqual(await h5Contents(join(undisturbed, H5AD)));
    },
    600_000,
  );

  it.runIf(process.env["LONG_TESTS"])(
    "that is stopped permanently hands its run to another",
    async () => {
      const token = await server.signUp();
      let project: string;
      {
        await using first = new TestWorker(server);
        project = await startRun(token);
        await until(token, project, (now) => now.current_step === 1);
        await expect.poll(() => first.output).toContain("run started");
      }
      await using second = new TestWorker(server);
      await until(token, project, (now) => now.current_step === 2);
      expect(second.output).toContain(`"projectId":"${project}"`);
      await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
      await until(token, project, ({ status }) => status === "cancelled");
    },
  );

  it.runIf(process.env["LONG_TESTS"])(
    "never shows results that are not counted, at whichever step a run is stopped",
    async () => {
      const { db } = server.context.database;
      await using worker = new TestWorker(server);
      const token = await server.signUp();
      const account = async () =>
        (await server.call("GET", "/verify-subscription", { token })).json as {
          id: string;
          analyses_count: number;
        };
      await subscribe((await account()).id);
      const cancel = (project: string) =>
        server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
      const again = (project: string, start_step: number) =>
        server.call("POST", "/run_workflow", { token, body: { project_id: project, start_step } });
      let seen = 0;
      for (const { number } of STEPS) {
        const project = await startRun(token, await otherCounts(number));
        await until(token, project, (now) => now.current_step === number);
        if (number % 2 === 0) await cancel(project);
        else {
          const isOver = (now: WorkflowStatus) => now.status !== "processing";
          const killing = setInterval(() => worker.killSteps(), 20);
          await until(token, project, isOver).catch(() => undefined);
          clearInterval(killing);
        }
        const results = await server.context.outputs.steps(project);
        seen += Number(results.some(({ step }) => step >= 4));
        expect((await account()).analyses_count).toBeGreaterThanOrEqual(seen);
        for (const start of [7, 0]) {
          expect((await again(project, start)).status).toBeLessThan(203);
          await cancel(project);
          expect((await account()).analyses_count).toBeGreaterThanOrEqual(seen);
        }
      }
      expect(seen).toBeGreaterThan(2);
      // A run is completed at the moment that its last step can be seen.
      const project = await startRun(token);
      for (let isOver = false; !isOver;) {
        const row = await db
          .selectFrom("runs")
          .select(["status", "error"])
          .select((run) =>
            run
              .exists(
                run
                  .selectFrom("step_results")
                  .select("step")
                  .whereRef("step_results.project_id", "=", "runs.project_id")
                  .where("step", "=", 7),
              )
              .as("delivered"),
          )
          .where("project_id", "=", project)
          .executeTakeFirstOrThrow();
        expect([row.status === "completed", row.error]).toEqual([row.delivered, null]);
        isOver = Boolean(row.delivered);
      }
    },
    900_000,
  );

  it("stops a run on request, keeps its finished steps, and takes the next one", async () => {
    await using worker = new TestWorker(server);
    const token = await server.signUp();
    const project = await startRun(token);
    await until(token, project, (now) => now.current_step === 1);
    await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
    const stopped = await until(token, project, ({ status }) => status !== "processing");
    expect([stopped.status, stopped.error]).toEqual(["cancelled", null]);
    expect(stopped.output_files.step_0).not.toEqual([]);
    expect(stopped.output_files.step_2).toEqual([]);
    await expect.poll(() => worker.output).toContain('"outcome":"cancelled"');
    // Estimates for the steps after the first are based on what the first step found.
    const found = await foundSize(server.context.outputs, project);
    expect(found).toMatchObject({ genes: 200, areaMm2: expect.closeTo(0.09, 3) });
    const size = { ...sizeOf(await server.context.uploads.inputs(project)), ...found };
    const { estimate } = (await server.context.runs.latest(project))!;
    expect(estimate!.steps!.plain).toEqual(stepSecondsOf(size, "basic", []).plain);

    // A matrix with mismatched barcodes is refused before it runs, in a sentence; nothing is counted.
    const barcodes = join(server.config.dataDir, "barcodes.tsv.gz");
    const other = await server.signUp();
    await writeFile(barcodes, gzipSync("AAACAAGTATCTCCCA-1\n"));
    const refused = await requestRun(other, { barcodes });
    expect([refused.status, refused.json.code]).toEqual([422, "inputs_unusable"]);
    expect(refused.json.error).toContain("barcodes.tsv.gz");
    const usage = await server.call("GET", "/verify-subscription", { token: other });
    expect(usage.json.analyses_count).toBe(0);
  });
});
