import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { simulateTissue } from "@stipple/tissue";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openQueryWatchdog } from "../src/db/query-watchdog.ts";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";
import { tokenOf } from "../src/runs/queue/dbos-tables.ts";
import { assertHeld, HoldLostError } from "../src/runs/worker/holds.ts";
import { HEARTBEAT_MS, LEASE_MS } from "../src/runs/worker/workers.ts";
import { startCollector, type Collector } from "./collector.ts";
import { startTestServer, type Answer, type TestServer } from "./server.ts";
import { TestWorker } from "./worker.ts";

let server: TestServer;
let files: ReadonlyMap<string, string>;
let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
  server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  const sample = openSampleDataset(join(server.config.dataDir, "sample"));
  await simulateTissue({ out: sample.folder, seed: 5, sizeUm: 300, nGenes: 200 });
  files = await sample.files();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await collector[Symbol.asyncDispose]();
});
/** Clears whatever a test left running. */
afterEach(async () => {
  const { db } = server.context.database;
  await db.updateTable("runs").set({ status: "cancelled", worker: null }).execute();
  await db.deleteFrom("workers").execute();
});

const db = () => server.context.database.db;
const start = (token: string, project: string) =>
  server.call("POST", "/run_workflow", { token, body: { project_id: project, start_step: 0 } });
const cancel = (token: string, project: string) =>
  server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
const status = async (token: string, project: string) =>
  (await server.call("GET", `/status?project_id=${project}`, { token })).json;
const runOf = (project: string) =>
  db()
    .selectFrom("runs")
    .selectAll()
    .where("project_id", "=", project)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

async function readyProject(): Promise<{ token: string; project: string }> {
  const token = await server.signUp();
  const project = await server.newProject(token);
  await server.context.uploads.fill(project, new Map(files));
  return { token, project };
}
const reaches = (token: string, project: string, step: number) =>
  expect
    .poll(async () => (await status(token, project)).current_step, {
      interval: 50,
      timeout: 120_000,
    })
    .toBe(step);

describe("a lease", () => {
  it("expires within a minute of the last heartbeat, including the engine's own pause", () => {
    // Worst case: the worker dies right after a heartbeat, and another worker notices at its next check; its queue is
    // polled five times a second.
    expect(HEARTBEAT_MS + LEASE_MS + HEARTBEAT_MS + 5_000).toBeLessThanOrEqual(60_000);
  });

  it.runIf(process.env["LONG_TESTS"])(
    "of a vanished machine passes on, and the lost worker's writes are refused",
    async () => {
      const { token, project } = await readyProject();
      await using lost = new TestWorker(server);
      await start(token, project);
      await reaches(token, project, 1);
      // No connection closes and its process stays alive, as if the network had failed.
      lost.send("SIGSTOP");
      const before = await runOf(project);
      const held = { runId: before.id, token: (await tokenOf(db(), before.id))! };
      await db()
        .updateTable("workers")
        .set({ alive_until: sql<Date>`clock_timestamp() - interval '1 second'` })
        .execute();
      await sql`select pg_sleep(0)`.execute(db());
      await using other = new TestWorker(server);
      // In a young database, every worker gets one lease period to report.
      await expect
        .poll(() => other.output, { timeout: LEASE_MS + 30_000 })
        .toContain("taking over");
      await reaches(token, project, 2);

      await expect(
        server.context.database.transaction((transaction) => assertHeld(transaction, held)),
      ).rejects.toThrow(HoldLostError);
      lost.send("SIGCONT");
      // It finds that it is considered gone, and restarts without any runs.
      await expect.poll(() => lost.hasEnded).toBe(true);
      expect(lost.output).not.toMatch(/"step":2,.*"step published"/);
      const { worker } = await runOf(project);
      expect(worker).not.toBe(before.worker);
      await cancel(token, project);
    },
  );
});

describe("a worker that vanished, or was evicted, while it was taking a run", () => {
  it("is evicted again, and its run goes back into the queue", async () => {
    const { token, project } = await readyProject();
    await start(token, project);
    const { id } = await runOf(project);
    await sql`
      update dbos.workflow_status set status = 'PENDING', executor_id = 'unknown', owner_xid = 'its token'
      where workflow_uuid = ${id}`.execute(db());
    const { workers, runs } = server.context;
    const requeued: string[] = [];
    const evict = async (gone: string): Promise<void> => {
      // If it returns now, it has to notice.
      expect(await workers.beat(gone)).toBe(false);
      requeued.push(...(await runs.requeue(gone)));
    };
    await workers.evictDead("another", evict);
    await workers.evictDead("another", evict);
    expect(requeued).toEqual([id]);
    expect(await tokenOf(db(), id)).toBeNull();
    await cancel(token, project);
  });
});

describe("a worker told to stop", () => {
  it("finishes and publishes its step, hands the run to another immediately, all in one trace", async () => {
    const { token, project } = await readyProject();
    await using first = new TestWorker(server, undefined, { STIPPLE_DRAIN_SECONDS: "60" });
    const headers = { "x-request-id": "not-from-a-proxy" };
    const body = { project_id: project, start_step: 0 };
    const asked = await server.call("POST", "/run_workflow", { token, body, headers });
    const requestId = asked.headers.get("x-request-id");
    await reaches(token, project, 1);
    first.send("SIGTERM");
    await expect.poll(() => first.exitCode, { timeout: 90_000 }).toBe(0);
    const run = await runOf(project);
    expect(first.output).toContain('"msg":"run handed to another worker"');
    expect([run.status, run.worker]).toEqual(["running", null]);
    const published = [...first.output.matchAll(/"step":(\d),[^\n]*"msg":"step published"/g)];
    const last = Number(published.at(-1)?.[1]);
    expect(last).toBeGreaterThanOrEqual(1);
    // Every log line about a run has its run, project, and request IDs.
    expect(first.output).toMatch(
      new RegExp(`"runId":"${run.id}","projectId":"${project}","reqId":"${requestId}"`),
    );

    await using second = new TestWorker(server);
    await reaches(token, project, last + 1);
    expect(second.output).not.toContain("taking over");
    expect(second.output).not.toMatch(new RegExp(`"task":"step","step":[0-${last}],`));
    await cancel(token, project);
    await expect.poll(async () => (await runOf(project)).worker).toBeNull();
    await second.kill("SIGTERM");

    const span = (name: string) =>
      collector.spans().find((one) => one.name === name && one.traceId === trace);
    const trace = run.traceparent?.split("-")[1] ?? "";
    await expect.poll(() => span("run"), { timeout: 90_000 }).toBeDefined();
    const [request, queue, whole, step] = ["POST /api/run_workflow", "queue", "run", "step 0"].map(
      span,
    );
    expect(request?.parentSpanId ?? "").toBe("");
    expect(queue?.parentSpanId).toBe(request?.spanId);
    expect(whole?.parentSpanId).toBe(queue?.spanId);
    expect(step?.parentSpanId).toBe(whole?.spanId);
    expect(span(`step ${last}`)?.parentSpanId).toBe(whole?.spanId);
    expect(JSON.stringify(collector.spans())).not.toContain(token);
  });

  it.runIf(process.env["LONG_TESTS"])(
    "abandons a step that takes too long, which restarts elsewhere",
    async () => {
      const { token, project } = await readyProject();
      await using first = new TestWorker(server, undefined, { STIPPLE_DRAIN_SECONDS: "0" });
      await start(token, project);
      await reaches(token, project, 2);
      first.send("SIGTERM");
      await expect.poll(() => first.exitCode, { timeout: 90_000 }).toBe(0);
      expect(first.output).toContain("will restart on another worker");
      await using second = new TestWorker(server);
      await expect
        .poll(() => second.output, { timeout: 60_000 })
        .toMatch(/"step":2,[^\n]*"step provided"/);
      await cancel(token, project);
    },
  );
});

describe("a canceled run", () => {
  it("makes room immediately: the next one starts, and two never run at once", async () => {
    await using _one = new TestWorker(server);
    await using _two = new TestWorker(server);
    await expect
      .poll(() => {
        // A worker that failed to start has logged why.
        for (const worker of [_one, _two]) if (worker.hasEnded) throw new Error(worker.output);
        return server.context.workers.live();
      })
      .toBe(2);
    const { token, project } = await readyProject();
    const atOnce: number[] = [];
    let isWatching = true;
    const watching = (async () => {
      while (isWatching) {
        atOnce.push(_one.steps().length + _two.steps().length);
        await sleep(20);
      }
    })();
    for (let round = 0; round < 4; round++) {
      expect((await start(token, project)).status).toBe(200);
      await expect.poll(async () => (await runOf(project)).worker, { interval: 20 }).not.toBeNull();
      if (round % 2 === 0) await sleep(700);
      expect((await cancel(token, project)).status).toBe(200);
      expect((await status(token, project)).status).toBe("cancelled");
    }
    isWatching = false;
    await watching;
    expect(Math.max(...atOnce)).toBe(1);
  });

  it("accepts no more updates", async () => {
    const { token, project } = await readyProject();
    await using worker = new TestWorker(server);
    expect(worker.hasEnded).toBe(false);
    await start(token, project);
    await reaches(token, project, 0);
    const { id } = await runOf(project);
    const hold = { runId: id, token: (await tokenOf(db(), id))! };
    await cancel(token, project);
    await expect(
      server.context.database.transaction((transaction) => assertHeld(transaction, hold)),
    ).rejects.toThrow(HoldLostError);
    await expect.poll(async () => (await runOf(project)).worker).toBeNull();
    expect((await runOf(project)).status).toBe("cancelled");
  });
});

describe("a step's process", () => {
  it("that is killed is retried twice before the run fails", async () => {
    const { token, project } = await readyProject();
    await using worker = new TestWorker(server);
    await start(token, project);
    await reaches(token, project, 1);
    // A process may have done its step when it is killed; then it is the turn of the next step's.
    while ((await status(token, project)).status === "processing") {
      worker.killSteps();
    }
    const { status: end, error, log } = await status(token, project);
    expect([end, error]).toEqual([
      "failed",
      expect.stringMatching(/^Another program on the server ended step \d 3 times\./),
    ]);
    const again = log.filter((line: string) => line.includes("is starting again"));
    expect(again.length).toBeGreaterThanOrEqual(2);
  });

  it("is refused before it starts if its sample needs more memory than available", async () => {
    const { token, project } = await readyProject();
    await using worker = new TestWorker(server, undefined, { STIPPLE_STEP_MEMORY_MB: "512" });
    expect(worker.hasEnded).toBe(false);
    await start(token, project);
    await expect.poll(async () => (await status(token, project)).status).toBe("failed");
    const { error } = await status(token, project);
    expect(error).toMatch(/^This sample needs about \d\.\d GB; this server has 0\.5 GB\./);
    const usage = await server.call("GET", "/verify-subscription", { token });
    expect(usage.json.analyses_count).toBe(0);
  });

  it("is refused before it starts if its results would not fit on the disk", async () => {
    const { token, project } = await readyProject();
    await using worker = new TestWorker(server);
    expect(worker.hasEnded).toBe(false);
    const owner = await ownerOf(project);
    // As if its image were 100 TB.
    await db()
      .updateTable("uploads")
      .set({ size: 1e14 })
      .where("project_id", "=", project)
      .where("slot", "=", "he_image")
      .execute();
    const inputs = [{ slot: "he_image", size: 1e14 }];
    await server.context.runs.start(owner as never, { startStep: 0, inputs });
    await expect.poll(async () => (await status(token, project)).status).toBe("failed");
    expect((await status(token, project)).error).toMatch(
      /^This sample needs about \d+\.\d GB of disk space; this server has \d+\.\d GB free\./,
    );
    const usage = await server.call("GET", "/verify-subscription", { token });
    expect(usage.json.analyses_count).toBe(0);
  });
});

describe("a small run", () => {
  it.runIf(process.env["LONG_TESTS"])(
    "overtakes a large one between two of its steps",
    async () => {
      const large = await readyProject();
      const small = await readyProject();
      // Its estimate is hours, as if its files were large.
      const setSize = (size: number) =>
        db()
          .updateTable("uploads")
          .set({ size })
          .where("project_id", "=", large.project)
          .where("slot", "=", "he_image")
          .execute();
      const { size } = await db()
        .selectFrom("uploads")
        .select("size")
        .where("project_id", "=", large.project)
        .where("slot", "=", "he_image")
        .executeTakeFirstOrThrow();
      await setSize(3e9);
      const inputs = [{ slot: "he_image", size: 3e9 }];
      const owner = await ownerOf(large.project);
      await server.context.runs.start(owner as never, { startStep: 0, inputs });
      await setSize(Number(size));
      await using worker = new TestWorker(server);
      expect(worker.hasEnded).toBe(false);
      await reaches(large.token, large.project, 1);
      await start(small.token, small.project);
      await reaches(small.token, small.project, 0);
      const { step } = await runOf(large.project);
      expect(step).toBeLessThanOrEqual(2);
      await reaches(small.token, small.project, 2);
      expect((await runOf(large.project)).step).toBe(step);
      await cancel(large.token, large.project);
      await cancel(small.token, small.project);
    },
  );
});

/** The project, as seen by the user who starts its run. */
async function ownerOf(project: string) {
  const { user_id: userId } = await db()
    .selectFrom("projects")
    .select("user_id")
    .where("id", "=", project)
    .executeTakeFirstOrThrow();
  return { id: project, userId, options: { analysis_type: "basic" } };
}

describe("the database", () => {
  it.each([
    ["has no space left", "disk_full"],
    ["is read-only", "read_only_sql_transaction"],
  ])("that %s for a while keeps no run from ending", async (_, condition) => {
    const { token, project } = await readyProject();
    await sql`drop sequence if exists refused`.execute(db());
    await sql`create sequence refused`.execute(db());
    await sql`
      create or replace function refuse_twice() returns trigger language plpgsql as $$ begin
        if new.status = 'failed' and nextval('refused') <= 2 then
          raise 'not now' using errcode = ${sql.lit(condition)};
        end if;
        return new;
      end $$`.execute(db());
    await sql`
      create or replace trigger refuse_twice before update on runs
      for each row execute function refuse_twice()`.execute(db());
    await using worker = new TestWorker(server, undefined, { STIPPLE_STEP_MEMORY_MB: "512" });
    expect(worker.hasEnded).toBe(false);
    await start(token, project);
    await expect.poll(async () => (await status(token, project)).status).toBe("failed");
    expect((await status(token, project)).error).toMatch(/^This sample needs about/);
  });

  it("restarts on its port when killed during a run; requests wait, and the run continues", async () => {
    const { token, project } = await readyProject();
    await using worker = new TestWorker(server);
    await start(token, project);
    await reaches(token, project, 1);
    process.kill(server.postgresPid() ?? 0, "SIGKILL");
    const asked = async () => {
      const { status, json, headers } = await server.call("GET", `/status?project_id=${project}`, {
        token,
      });
      return [status, json.code, headers.get("retry-after")];
    };
    await expect.poll(asked, { interval: 20 }).toEqual([503, "database_away", "5"]);
    await expect.poll(asked).toEqual([200, undefined, null]);
    await expect
      .poll(async () => (await runOf(project)).step, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2);
    expect((await runOf(project)).error).toBeNull();
    expect(worker.hasEnded).toBe(false);
    await cancel(token, project);
  });

  it("that stops answering is told within seconds, while slow queries may go on; then all is well", async () => {
    const token = await server.signUp();
    const asked = async () => {
      const { status, json, headers } = await server.call("GET", "/verify-subscription", { token });
      return [status, json.code, headers.get("retry-after")];
    };
    expect(await asked()).toEqual([200, undefined, null]);
    const client = new pg.Client({ connectionString: server.config.databaseUrl });
    await client.connect();
    const slow = client.query("select pg_sleep(1) is null as answer");
    expect(
      (await openQueryWatchdog(server.config.databaseUrl, 50).watch(client, slow)).rows,
    ).toEqual([{ answer: false }]);
    await client.end();
    const processes = postgresProcesses(server.postgresPid()!);
    try {
      signalAll(processes, "SIGSTOP");
      const began = performance.now();
      const answers = await Promise.all([asked(), asked(), server.call("GET", "/ready")]);
      const away = [503, "database_away", "5"];
      expect(answers.slice(0, 2)).toEqual([away, away]);
      expect((answers[2] as Answer).json.failing).toContain("database");
      expect(performance.now() - began).toBeLessThan(15_000);
    } finally {
      signalAll(processes, "SIGCONT");
    }
    await expect.poll(asked).toEqual([200, undefined, null]);
    await expect.poll(async () => (await server.call("GET", "/ready")).status).toBe(200);
  });
});

/** A process of the list may have ended by itself, such as that of a connection that was closed. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** The server and the processes that it has started. */
function postgresProcesses(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/status`, "utf8").includes(`\nPPid:\t${pid}\n`);
      } catch {
        return false;
      }
    });
  return [pid, ...children.map(Number)];
}
