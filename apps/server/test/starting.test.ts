import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPeople, quotaOf, showPerson } from "../src/admin/people.ts";
import { cancelRun, listRuns, requeueRun, retryRun } from "../src/admin/runs.ts";
import { storageUse } from "../src/admin/storage.ts";
import { prepareDatabase } from "../src/db/migrate.ts";
import { doctor } from "../src/doctor/doctor.ts";
import { newObjectKey } from "../src/outputs/objects.ts";
import { lockSlot } from "../src/uploads/slot-rows.ts";
import { halfSent } from "./half-sent.ts";
import { laterPort } from "./later-port.ts";
import { ServerProcess } from "./cluster/server-process.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { fillUnread } from "./unread-files.ts";

const CLI = fileURLToPath(new URL("../../cli/bin/stipple.cjs", import.meta.url));
const API = fileURLToPath(new URL("../src/main-api.ts", import.meta.url));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    STIPPLE_SECRET: "the secret of the first process on this database",
  });
  // As the first process on this database would do.
  await prepareDatabase(server.config, { migrates: false });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Starts a process that should be refused; returns its exit code and output. */
function start(
  entry: "main-api" | "main-worker",
  environment: NodeJS.ProcessEnv,
): Promise<{ code: unknown; says: string }> {
  const path = fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));
  const env = { ...process.env, ...server.environment, PORT: "0", ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [path], { env, timeout: 60_000 }, (error, _out, stderr) => {
      const says = stderr.replaceAll(/^\(.*\n/gm, "").trim();
      resolve({ code: error?.code, says });
    });
  });
}

const other = (path: string): string => server.config.databaseUrl.replace(/\/stipple$/, path);

describe("a process is refused in one sentence", () => {
  it.each([
    [
      "an unknown setting",
      () => ({ STIPPLE_WORKER_COUNT: "3" }),
      /^STIPPLE_WORKER_COUNT is not a setting of Stipple/,
    ],
    [
      "a secret that differs from the database's",
      () => ({ STIPPLE_SECRET: "x".repeat(40) }),
      /^This process's secret differs from the one .* set STIPPLE_SECRET to the same value everywhere/,
    ],
    [
      "a database without the schema",
      () => ({ DATABASE_URL: other("/postgres") }),
      /^The database postgres at 127.0.0.1:\d+ has no Stipple tables yet: start the API first/,
    ],
    [
      "a database that does not exist",
      () => ({ DATABASE_URL: other("/nowhere") }),
      /^There is no database nowhere at .*: create it, or correct DATABASE_URL\.$/,
    ],
    [
      "a wrong password",
      () => ({ DATABASE_URL: server.config.databaseUrl.replace(/:[^:@]+@/, ":wrong@") }),
      /^The database .* refuses the account in DATABASE_URL/,
    ],
  ])("for %s", async (_what, environment, sentence) => {
    const { code, says } = await start("main-worker", environment());
    expect(says).toMatch(sentence);
    expect(says.split("\n")).toHaveLength(1);
    expect(code).toBe(78);
  });

  it("for an unreachable database, with an exit code that requests a restart", async () => {
    const { code, says } = await start("main-worker", {
      DATABASE_URL: "postgresql://stipple@127.0.0.1:9/stipple",
    });
    expect(says).toMatch(/^The database .* cannot be reached \(ECONNREFUSED\): check DATABASE_URL/);
    expect(code).toBe(1);
  });

  it("for a storage that does not respond, with an exit code that requests a restart", async () => {
    const { code, says } = await start("main-worker", {
      STIPPLE_STORAGE: "s3://bucket",
      STIPPLE_S3_ENDPOINT: "http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    });
    expect(says).toMatch(/^No S3 server responds at http:.*: start it, or correct/);
    expect(says.split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  it("for a port in use, with an exit code that requests a restart", async () => {
    const { hostname: HOST, port: PORT } = new URL(server.url);
    const { code, says } = await start("main-api", { HOST, PORT });
    expect(says).toMatch(/^The API cannot listen on 127\.0\.0\.1, port \d+ \(EADDRINUSE\): stop/);
    expect(says.split("\n")).toHaveLength(1);
    expect(code).toBe(1);
  });

  it("for a database of a newer version, including the API", async () => {
    const { db } = server.context.database;
    const future = { name: "9999-future", timestamp: new Date().toISOString() };
    await db
      .insertInto("kysely_migration" as never)
      .values(future as never)
      .execute();
    try {
      for (const entry of ["main-worker", "main-api"] as const) {
        const { code, says } = await start(entry, {});
        expect(says).toMatch(
          /^The database .* is from a newer version of Stipple \(9999-future\) than this one: update Stipple on this machine\.$/,
        );
        expect(code).toBe(78);
      }
    } finally {
      await db
        .deleteFrom("kysely_migration" as never)
        .where("name" as never, "=", "9999-future" as never)
        .execute();
    }
  });
});

describe("stipple doctor", () => {
  it("finds nothing wrong here, and reports what is wrong elsewhere", async () => {
    const lines: string[] = [];
    expect(await doctor(server.environment, (line) => lines.push(line))).toBe(true);
    expect(lines.join("\n")).toMatch(/^ok +database +stipple at 127.0.0.1/m);
    expect(lines.join("\n")).toMatch(/^ok +clock +differs from the database's by 0\.\d s/m);

    const lacks: string[] = [];
    const onServer = { ...server.environment, STIPPLE_PUBLIC_URL: "https://stipple.example.org" };
    await doctor(onServer, (line) => lacks.push(line));
    expect(lacks.join("\n")).toMatch(/^look at +mail +SMTP_URL is not set/m);
    expect(lacks.join("\n")).toMatch(/^look at +payments +STRIPE_SECRET_KEY is not set/m);

    const wrong: string[] = [];
    const environment = {
      ...server.environment,
      STIPPLE_STORAGE: `file:${fileURLToPath(import.meta.url)}/below-a-file`,
      SMTP_URL: "smtp://127.0.0.1:9",
      STIPPLE_API_CONNECTIONS: "400",
    };
    expect(await doctor(environment, (line) => wrong.push(line))).toBe(false);
    for (const what of ["storage", "mail", "connections"]) {
      expect(wrong.join("\n")).toMatch(new RegExp(`^WRONG +${what} `, "m"));
    }
  });
});

describe("an API told to stop", () => {
  it("first reports not ready, finishes pending requests, cuts off slow ones, and exits with 0", async () => {
    const port = await laterPort();
    const url = `http://localhost:${port}`;
    await using api = new ServerProcess(API, {
      ...server.environment,
      PORT: `${port}`,
      HOST: "localhost",
      STIPPLE_DATA_DIR: join(server.config.dataDir, "stopped"),
      STIPPLE_STORAGE: server.config.storage.address,
      STIPPLE_LOG_LEVEL: "info",
      STIPPLE_STOP_DELAY_SECONDS: "1",
      STIPPLE_DRAIN_SECONDS: "3",
    });
    await api.says(/"msg":"listening"/);
    expect((await fetch(`${url}/api/ready`)).status).toBe(200);
    const nobody = { email: "nobody@example.org", password: "secret1" };
    const slow = halfSent(url, nobody);
    const endless = halfSent(url, nobody);
    await expect.poll(() => slow.isReceived() && endless.isReceived()).toBe(true);

    api.send("SIGTERM");
    const ready = () =>
      fetch(`${url}/api/ready`).then(
        ({ status }) => status,
        () => "refused",
      );
    await expect.poll(ready, { interval: 20 }).toBe(503);
    // It still responds, and tells clients not to reuse the connection.
    const health = await fetch(`${url}/api/health`);
    expect([health.status, health.headers.get("connection")]).toEqual([200, "close"]);
    // Then it accepts no work, but still says why.
    const work = () => fetch(`${url}/api/projects`);
    await expect.poll(async () => (await work()).status, { interval: 20 }).toBe(503);
    const refused = await work();
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "stopping" });
    expect(await ready()).toBe(503);
    slow.sendRest();
    expect(await slow.answer).toBe(401);
    expect(await endless.answer).toBe("cut off");
    await expect.poll(() => api.exitCode).toBe(0);
    expect(await ready()).toBe("refused");
    expect(api.output).toContain("requests that took too long were cut off");
  });

  it("exits with 0, too, while it checks a file that another one has left", async () => {
    const { db, transaction } = server.context.database;
    const token = await server.signUp();
    const project_id = await server.newProject(token);
    const row = { project_id, slot: "he_image", incoming_name: "a.tif", incoming_chunks: 1 };
    const left = { incoming_key: newObjectKey(), incoming_upload_id: "none" };
    await db
      .insertInto("uploads")
      .values({ ...row, ...left, checking_until: new Date(0) })
      .execute();
    await using api = new ServerProcess(API, {
      ...server.environment,
      PORT: `${await laterPort()}`,
      HOST: "localhost",
      STIPPLE_DATA_DIR: join(server.config.dataDir, "checks"),
      STIPPLE_STORAGE: server.config.storage.address,
      STIPPLE_LOG_LEVEL: "info",
    });
    const isWaiting = async () =>
      (await sql`select 1 from pg_locks where not granted`.execute(db)).rows.length;
    await transaction(async (holding) => {
      await lockSlot(holding, project_id, row.slot);
      await expect.poll(isWaiting, { timeout: 60_000 }).toBe(1);
      await api.says(/"msg":"listening"/);
      api.send("SIGTERM");
      await api.says(/"msg":"stopping: no longer ready"/);
    });
    await expect.poll(() => api.exitCode, { timeout: 60_000 }).toBe(0);
    await server.call("POST", "/delete-account", { token, body: { password: "secret1" } });
  });
});

describe("stipple admin", () => {
  const admin = (...words: string[]): Promise<{ code: unknown; out: string; says: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, ...server.environment };
      const command = [CLI, "admin", ...words];
      execFile(process.execPath, command, { env, timeout: 60_000 }, (error, out, stderr) =>
        resolve({
          code: error?.code ?? 0,
          out,
          says: stderr.replaceAll(/^\(.*\n/gm, "").trim(),
        }),
      );
    });
  const acted = async () => {
    const rows = await server.context.database.db
      .selectFrom("audit_log")
      .select(["by", "about"])
      .where("what", "=", "operator_acted")
      .orderBy("id")
      .execute();
    return rows.map(({ by, about }) => `${by} ${(about as { action: string }).action}`);
  };

  it("lists, cancels, retries, and requeues runs, shows users and storage, and notifies each user", async () => {
    const email = "watched@example.org";
    const token = await server.signUp(email);
    const project = await server.newProject(token, "Seen by nobody");
    const { db } = server.context.database;
    const { user_id: userId } = await db
      .selectFrom("projects")
      .select("user_id")
      .where("id", "=", project)
      .executeTakeFirstOrThrow();
    await fillUnread(server, project);
    const owner = { id: project, userId, options: { analysis_type: "basic" } };
    await server.context.runs.start(owner as never, { startStep: 0, inputs: [] });

    const { context } = server;
    const listed = await admin("runs", "list", "--status", "pending", "--json");
    expect(listed.code).toBe(0);
    const [run] = JSON.parse(listed.out);
    expect(run).toMatchObject({ project_id: project, status: "pending" });
    const { lines } = await listRuns(context, { statuses: [], limit: 10 });
    expect(lines.join("\n")).toContain(run.id);
    expect(listed.out + lines.join()).not.toMatch(/watched|Seen by nobody/);
    expect(await acted()).toEqual([]);

    expect((await cancelRun(context, run.id)).data).toMatchObject({ status: "cancelled" });
    const retried = (await retryRun(context, run.id)).data as { run: string };
    expect(retried).toMatchObject({ startStep: 0, position: 1 });
    expect((await context.runs.latest(project))?.id).toBe(retried.run);

    // As if a worker held it.
    await db
      .updateTable("runs")
      .set({ status: "running", worker: "gone-1" })
      .where("id", "=", retried.run)
      .execute();
    expect((await requeueRun(context, retried.run)).data).toMatchObject({ takenFrom: "gone-1" });
    const back = await context.runs.latest(project);
    expect(back?.worker).toBeNull();
    await context.runs.cancel(project);

    expect((await showPerson(context, email)).data).toMatchObject({
      email,
      plan: { subscription_tier: "trial" },
      projects: [{ name: "Seen by nobody" }],
    });
    expect((await quotaOf(context, email)).data).toMatchObject({ email, projects: 1 });
    expect((await listPeople(context)).lines.join("\n")).toContain(email);
    expect((await storageUse(context, { limit: 5 })).data).toMatchObject({
      projects: [{ project }],
    });
    expect(await acted()).toEqual([
      "operator canceled the analysis",
      "operator restarted the analysis",
      "operator put the analysis back in the queue",
      "operator viewed the account",
      "operator viewed the plan",
      "operator listed the accounts",
    ]);
  });

  it("retries nothing that its owner could not: with a removed file, the analysis would fail and count", async () => {
    const token = await server.signUp("replaces@example.org");
    const project = await server.newProject(token);
    await fillUnread(server, project);
    const body = { project_id: project };
    await server.call("POST", "/run_workflow", { token, body });
    await server.call("POST", "/cancel_workflow", { token, body });
    const path = `/upload/he_image?project_id=${project}`;
    expect((await server.call("DELETE", path, { token })).status).toBe(200);
    const { id } = (await server.context.runs.latest(project))!;
    await expect(retryRun(server.context, id)).rejects.toMatchObject({ code: "inputs_missing" });
    const plan = (await server.call("GET", "/verify-subscription", { token })).json;
    expect(plan.analyses_count).toBe(0);
  });

  it("reports in a sentence what it cannot find", async () => {
    const missing = await admin("runs", "cancel", "b0b");
    expect([missing.code, missing.says]).toEqual([1, "There is no run b0b."]);
    await expect(showPerson(server.context, "nobody@example.org")).rejects.toThrow(
      "No account has the email nobody@example.org.",
    );
  });
});
