import { accountByEmail } from "../src/accounts/accounts.ts";
import { STEPS, stepFolder, type StepNumber } from "@stipple/contract";
import { steps } from "@stipple/pipeline/steps";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPeople } from "../src/admin/people.ts";
import { openContext, type Context } from "../src/context.ts";
import { deleteExpiredProjects } from "../src/projects/delete-expired-projects.ts";
import { EXAMPLE_OWNER } from "../src/projects/example-owner.ts";
import { copySample } from "./prepared-folder.ts";
import { publishFiles } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { fillUnread } from "./unread-files.ts";
import { TestWorker } from "./worker.ts";

const DAY_MS = 86_400_000;
let server: TestServer;
let other: Context;

beforeAll(async () => {
  server = await startTestServer();
  await copySample(server.config.dataDir);
  // A second API process on the same database and storage.
  other = await openContext(server.config, { clock: server.clock, name: "other" });
});
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

const look = () => server.call("GET", "/live_example");
const ask = () => server.call("POST", "/live_example");
const db = () => server.context.database.db;
const projects = () =>
  db().selectFrom("projects").select("id").where("user_id", "=", EXAMPLE_OWNER).execute();
const runs = () =>
  db().selectFrom("runs").selectAll().where("user_id", "=", EXAMPLE_OWNER).execute();
const opened = (url: string) => server.call("GET", `/visualization/${url.split("/").at(-1)}/views`);

async function endRun(status: "completed" | "failed"): Promise<void> {
  const ended = { status, prepared: true, finished_at: server.clock.now() };
  await db().updateTable("runs").set(ended).where("user_id", "=", EXAMPLE_OWNER).execute();
}

/** What a worker leaves; `version` of step 4 instead of this version's. */
async function finish(version?: number): Promise<string> {
  const [project] = await projects();
  for (const { number } of STEPS) {
    await publishFiles(
      server,
      project.id,
      number as StepNumber,
      { [`${stepFolder(number)}/done.txt`]: `step ${number}` },
      { version: (number === 4 && version) || steps[number].version },
    );
  }
  await endRun("completed");
  return project.id;
}

/** As if the last attempt were long ago. */
const later = () =>
  db()
    .updateTable("chores")
    .set({ due_at: new Date(0) })
    .where("name", "=", "live-example")
    .execute();

describe("the live example", () => {
  it("is made once, however many ask at several processes, and lets everyone else go first", async () => {
    expect((await look()).json).toEqual({ state: "none" });
    const answers = await Promise.all([
      ask(),
      ask(),
      other.liveExample.ask(),
      other.liveExample.ask(),
      ask(),
    ]);
    for (const answer of answers) {
      const { state } = "json" in answer ? answer.json : answer;
      expect(state).toBe("preparing");
      if ("status" in answer) expect(answer.status).toBe(202);
    }
    expect(await projects()).toHaveLength(1);
    const [run, ...more] = await runs();
    expect(more).toEqual([]);
    expect(run.due_at.getTime()).toBeGreaterThan(server.clock.now().getTime() + DAY_MS);
    expect((await look()).json.state).toBe("preparing");
  });

  it("can be asked for by those whose neighbors look often", async () => {
    for (let i = 0; i < 61; i++) expect((await look()).status).toBe(200);
    expect((await ask()).status).toBe(202);
  });

  it("counts for no plan and no list of accounts, and nobody can sign in to it", async () => {
    expect(await db().selectFrom("analyses").selectAll().execute()).toEqual([]);
    expect((await listPeople(server.context)).data).toEqual([]);
    const email = "live example";
    const signIn = await server.call("POST", "/login", { body: { email, password: "secret1" } });
    expect(signIn.json.code).toBe("credentials_wrong");
    const body = { email, password: "secret1", confirmPassword: "secret1" };
    expect((await server.call("POST", "/register", { body })).json.code).toBe("email_invalid");
    expect(await accountByEmail(server.context.database.db, email)).toBeUndefined();
    const tables = ["password_resets", "email_verifications", "sessions"] as const;
    for (const table of tables) {
      expect(await db().selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  it("opens for anyone once it is finished, outlives trials, and is read-only", async () => {
    const project = await finish();
    const { status, json } = await look();
    expect([status, json.state]).toEqual([200, "ready"]);
    expect((await ask()).json.state).toBe("ready");
    expect((await opened(json.url)).json).toEqual([]);
    server.clock.advance(5 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    expect((await opened(json.url)).json.code).toBe("visualization_expired");
    const { url } = (await look()).json;
    expect((await opened(url)).status).toBe(200);
    const token = url.split("/").at(-1) as string;
    expect(await server.context.visualizationLinks.verify(token)).toMatchObject({
      projectId: project,
      readOnly: true,
      mayTake: false,
    });
    // A link to the example opens nothing else.
    expect((await server.call("GET", "/projects", { token })).status).toBe(401);
    const mine = await server.newProject(await server.signUp());
    const forged = await server.context.visualizationLinks.issueExample(mine);
    expect((await opened(forged)).json.code).toBe("project_not_found");
  });

  it.each([
    ["its results are of an earlier version", () => finish(999)],
    [
      "its results are damaged",
      async () => {
        await finish();
        await db().updateTable("objects").set({ damage: "missing" }).execute();
      },
    ],
    ["its run failed", () => endRun("failed")],
  ])("is made again if %s, but not at every click", async (_, spoil) => {
    const before = await projects();
    await spoil();
    expect((await look()).json).toEqual({ state: "none" });
    expect((await ask()).json).toEqual({ state: "none" });
    await later();
    expect((await ask()).json.state).toBe("preparing");
    const after = await projects();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it("takes no worker from anyone, and runs on one that is free", async () => {
    await server.context.workers.join("worker");
    const token = await server.signUp();
    const { project_id } = (await server.call("POST", "/create_sample_project", { token })).json;
    const run = await server.call("POST", "/run_workflow", { token, body: { project_id } });
    expect([run.status, run.json.status]).toEqual([200, "running"]);
    await server.call("POST", "/cancel_workflow", { token, body: { project_id } });
    await server.context.workers.leave("worker");
    // A queued run keeps its project's files from changing.
    const mark = (status: "cancelled" | "pending") =>
      db().updateTable("runs").set({ status }).where("user_id", "=", EXAMPLE_OWNER).execute();
    const [own] = await projects();
    await mark("cancelled");
    await fillUnread(server, own.id);
    await mark("pending");
    await using worker = new TestWorker(server);
    await expect.poll(async () => (await runs())[0].status).toBe("failed");
    expect(worker.hasEnded).toBe(false);
  });

  it("can be turned off, with the links to it", async () => {
    await finish();
    const { url } = (await look()).json;
    expect((await opened(url)).status).toBe(200);
    const off = { ...server.config, liveExample: false };
    await using context = await openContext(off, { clock: server.clock, name: "off" });
    expect(await context.liveExample.look()).toEqual({ state: "off" });
    expect(await context.liveExample.ask()).toEqual({ state: "off" });
    const token = url.split("/").at(-1) as string;
    await expect(context.visualizationLinks.verify(token)).rejects.toMatchObject({
      code: "visualization_expired",
    });
  });
});
