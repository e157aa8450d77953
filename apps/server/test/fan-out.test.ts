import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { CancelledError } from "@stipple/pipeline";
import { openTasks } from "@stipple/pipeline/engine/tasks/open-tasks";
import { Random } from "@stipple/numerics/random";
import { openProfilePool } from "@stipple/pipeline/steps/4-vector-transformation/profile-pool";
import {
  exposureOf,
  type Exposure,
} from "@stipple/pipeline/steps/4-vector-transformation/profiles";
import { step as expression } from "@stipple/pipeline/steps/4-vector-transformation/step";
import { simulateTissue } from "@stipple/tissue";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openAsking, type Asking } from "../src/jobs/fan-out/asking.ts";
import { openStepHelpers } from "../src/jobs/fan-out/step-helpers.ts";
import { PIPELINE_TASK, taskQueueOf } from "../src/jobs/fan-out/task-queue.ts";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { keysBelow } from "./stored.ts";
import { TestWorker } from "./worker.ts";

/** Idle workers help others: real worker processes, each with its own disk. */
let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "stipple-fan-out-"));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await db().updateTable("runs").set({ status: "cancelled", worker: null }).execute();
});

const db = () => server.context.database.db;
const worker = (name: string) =>
  new TestWorker(server, join(folder, name), {
    STIPPLE_THREADS: "1",
    STIPPLE_SHARE_SECONDS: "0",
  });
const isReady = (one: TestWorker) =>
  expect.poll(() => one.output, { timeout: 60_000 }).toContain("worker ready");

async function newProject(
  files: ReadonlyMap<string, string>,
): Promise<{ token: string; project: string }> {
  const token = await server.signUp();
  const project = await server.newProject(token);
  await server.context.uploads.fill(project, new Map(files));
  return { token, project };
}

async function simulated(): Promise<ReadonlyMap<string, string>> {
  const sample = openSampleDataset(join(server.config.dataDir, "sample"));
  await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 900, nGenes: 200 });
  return sample.files();
}

/** A run held by this process as a worker would hold it, plus its step process, all in one. */
async function runInHand(): Promise<{ runId: string; asking: Asking; solve: Solve; stop(): void }> {
  const { project } = await newProject(new Map());
  const { user_id: userId } = await db()
    .selectFrom("projects")
    .select("user_id")
    .where("id", "=", project)
    .executeTakeFirstOrThrow();
  const runId = randomUUID();
  await db()
    .insertInto("runs")
    .values({
      id: runId,
      project_id: project,
      user_id: userId,
      status: "running",
      start_step: 0,
      log: "[]",
      created_at: new Date(),
      due_at: new Date(),
      lease: 7,
    } as never)
    .execute();
  const controller = new AbortController();
  const place = join(folder, runId);
  await mkdir(place);
  const asking = openAsking(server.context, {
    workerId: "asking",
    lease: { runId, token: 7 },
    folder: place,
    signal: controller.signal,
  });
  const helpers = openStepHelpers({
    folder: place,
    tell: (ask) => asking.hear(ask, (answer) => helpers.hear(answer)),
    secondsLeft: 0,
  });
  return {
    runId,
    asking,
    stop: () => controller.abort(),
    async solve(genes, rounds) {
      await using tasks = openTasks({
        threads: 1,
        sharing: {
          helpers,
          places: { input: place, results: place },
          step: expression.number,
          version: expression.version,
        },
      });
      const pool = openProfilePool({ tasks, signal: controller.signal }, 0);
      return await pool.solve(genes.exposure, genes.byGene, rounds);
    },
  };
}
type Solve = (genes: Genes, rounds: number) => Promise<Float32Array>;

const left = async () =>
  (await sql`select 1 from dbos.workflow_status where name = ${PIPELINE_TASK}`.execute(db())).rows
    .length;

describe("gene blocks", () => {
  it("are computed by another worker, bit for bit, and leave nothing behind", async () => {
    const genes = manyGenes();
    await using helper = worker("helper");
    await isReady(helper);
    const { asking, solve } = await runInHand();
    // Takes a few seconds, so it does not finish before the other worker hears of it.
    const alone = await openProfilePool().solve(genes.exposure, genes.byGene, 1500);
    expect(await solve(genes, 1500)).toEqual(alone);
    expect(asking.count.batches).toBeGreaterThan(0);
    await asking[Symbol.asyncDispose]();
    expect(helper.output).toContain("helped with a batch");
    expect(await keysBelow(server.context.storage, "tasks")).toEqual([]);
    expect(await left()).toBe(0);
  });

  it.runIf(process.env["LONG_TESTS"])(
    "of a run taken by another worker or canceled are stopped immediately",
    async () => {
      await using helper = worker("helper");
      await isReady(helper);
      for (const how of ["taken", "cancelled"] as const) {
        const { runId, asking, solve, stop } = await runInHand();
        // Takes minutes.
        const solving = solve(manyGenes(), 20_000).catch((error: unknown) => error);
        await expect.poll(() => helper.steps().length, { timeout: 60_000 }).toBe(1);
        await expect
          .poll(
            async () =>
              (
                await sql<{ status: string }>`
          select status from dbos.workflow_status where name = ${PIPELINE_TASK}`.execute(db())
              ).rows[0]?.status,
            { timeout: 60_000 },
          )
          .toBe("PENDING");
        const before = performance.now();
        if (how === "taken") {
          await db()
            .updateTable("runs")
            .set({ lease: 8 } as never)
            .where("id", "=", runId)
            .execute();
        } else stop();
        await expect.poll(() => helper.steps().length, { interval: 50, timeout: 10_000 }).toBe(0);
        expect(performance.now() - before).toBeLessThan(2_500);
        stop();
        expect(await solving).toBeInstanceOf(CancelledError);
        await asking[Symbol.asyncDispose]();
      }
    },
  );

  it.runIf(process.env["LONG_TESTS"])("are computed locally when the helper dies", async () => {
    const genes = manyGenes();
    const helper = worker("mortal");
    await isReady(helper);
    const { asking, solve } = await runInHand();
    const alone = openProfilePool().solve(genes.exposure, genes.byGene, 1500);
    const solving = solve(genes, 1500);
    await expect.poll(() => helper.steps().length, { timeout: 60_000, interval: 20 }).toBe(1);
    await helper.kill("SIGKILL");
    expect(await solving).toEqual(await alone);
    await asking[Symbol.asyncDispose]();
    expect(await left()).toBe(0);
  });
});

describe("tiles", () => {
  // Two full runs take minutes.
  it.runIf(process.env["LONG_TESTS"])(
    "are shared by two workers, with the same files as from one worker alone",
    async () => {
      const { token, project } = await newProject(await simulated());
      const outcomes: Record<string, string>[] = [];
      await using first = worker("first");
      await isReady(first);
      for (const workers of [1, 2]) {
        await using second = workers === 2 ? worker("second") : undefined;
        if (second) await isReady(second);
        // Forty-nine tiles take a few seconds, so it does not finish before the other worker hears of it.
        const parameters = { "morphological-analysis": { tilePx: 256 } };
        const body = { project_id: project, start_step: 0, parameters };
        await server.call("POST", "/run_workflow", { token, body });
        const status = async () =>
          (await server.call("GET", `/status?project_id=${project}`, { token })).json;
        await expect
          .poll(async () => (await status()).status, { timeout: 280_000, interval: 500 })
          .toBe("completed");
        const helped = ((await status()).log as string[]).filter((line) =>
          /Other workers ran \d+ parts? of the step \(.+ MB sent, .+ MB fetched/.test(line),
        );
        expect(helped.length).toBe(workers - 1);
        if (second) expect(`${first.output}${second.output}`).toContain("helped with a batch");
        outcomes.push(await sums(project));
      }
      expect(Object.keys(outcomes[0]!).length).toBeGreaterThan(50);
      expect(outcomes[1]).toEqual(outcomes[0]);
      // The departed worker's queue was removed with it.
      const queues =
        await sql`select 1 from dbos.queues where name like ${taskQueueOf("%")}`.execute(db());
      expect(queues.rows.length).toBe(1);
    },
    600_000,
  );
});

/** Checksums of what the steps published, leaving out files with timestamps or durations. */
async function sums(project: string): Promise<Record<string, string>> {
  const rows = await db()
    .selectFrom("step_files")
    .select(["path", "sha256"])
    .where("project_id", "=", project)
    .execute();
  const timed = /(^|\/)(provenance\.json|report\.html|step7_output\/summary\.json|.*\.h5ad)$/;
  return Object.fromEntries(
    rows.filter(({ path }) => !timed.test(path)).map(({ path, sha256 }) => [path, sha256]),
  );
}

interface Genes {
  exposure: Exposure;
  byGene: SparseMatrix;
}

/** Counts for 30 blocks of genes, and the spots' exposure. */
function manyGenes(): Genes {
  // Counts so sparse that genes are fitted one by one, which takes a while.
  const [nSpots, perGene, k, nGenes] = [4_000, 100, 16, 30 * 256 - 5];
  const random = new Random(1);
  const data = Float32Array.from({ length: nSpots * k }, () => random.gamma(0.5));
  const length = nGenes * perGene;
  return {
    exposure: exposureOf(data, k, { cells: 2 }),
    byGene: {
      nRows: nGenes,
      nCols: nSpots,
      indptr: Uint32Array.from({ length: nGenes + 1 }, (_, g) => g * perGene),
      indices: Uint32Array.from({ length }, (_, n) => 40 * (n % perGene) + (n % 3)),
      data: Float32Array.from({ length }, () => 1 + random.below(9)),
    },
  };
}
