import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaidTier } from "../src/db/schema.ts";
import { deleteExpiredProjects } from "../src/jobs/delete-expired-projects.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { keysOf, remaining } from "./stored.ts";

const DAY_MS = 86_400_000;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function namesOf(token: string): Promise<string[]> {
  const { json } = await server.call("GET", "/projects", { token });
  return (json as { name: string }[]).map(({ name }) => name).sort();
}

/** Keys of a project's files, as they were while it was there. */
const known = new Map<string, string[]>();

async function filesOf(projectId: string): Promise<string[]> {
  const keys = await keysOf(server, projectId);
  if (keys.length > 0) known.set(projectId, keys);
  return remaining(server.context.storage, known.get(projectId) ?? []);
}

describe("storage time", () => {
  it("deletes a trial's projects with their files after four days, and a subscriber's not", async () => {
    const trial = await server.signUp();
    const subscriber = await server.signUp();
    const trialProject = await server.newProject(trial, "Trial's");
    await server.newProject(subscriber, "Subscriber's");
    await server.sendChunk(trial, trialProject, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"tissue_hires_scalef": 0.1}'),
    });
    expect(await filesOf(trialProject)).not.toEqual([]);
    const { id } = (await server.call("GET", "/verify-subscription", { token: subscriber })).json;
    await server.context.database.db
      .insertInto("subscriptions")
      .values({
        id: "sub_1",
        user_id: id,
        tier: "basic",
        status: "active",
        period_start: server.clock.now(),
        period_end: new Date(server.clock.now().getTime() + 60 * DAY_MS),
        cancel_at_period_end: false,
        schedule_id: null,
        created_at: server.clock.now(),
        ended_at: null,
      })
      .execute();

    server.clock.advance(3 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    server.clock.advance(2 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(1);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    expect(await namesOf(trial)).toEqual([]);
    expect(await filesOf(trialProject)).toEqual([]);
    expect(await namesOf(subscriber)).toEqual(["Subscriber's"]);

    // Results that were never made have no storage time while the plan runs.
    server.clock.advance(50 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    // The plan has ended unrenewed: thirty days later they go.
    server.clock.advance(10 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    server.clock.advance(30 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(1);
  });

  const scale = { name: "scalefactors_json.json", bytes: Buffer.from("{}") };
  /** A project with a file and, on request, results of this moment. */
  async function project(token: string, name: string, complete: boolean): Promise<string> {
    const id = await server.newProject(token, name);
    await server.sendChunk(token, id, "spatial_11?type=scale", scale);
    if (complete) {
      const userId = await userOf(token);
      const { database, entitlements } = server.context;
      await database.transaction(async (transaction) => {
        await entitlements.reserveAnalysis(transaction, userId, id);
        await entitlements.completeAnalysis(transaction, id, 1);
      });
    }
    return id;
  }
  async function userOf(token: string): Promise<string> {
    return (await server.call("GET", "/verify-subscription", { token })).json.id as string;
  }
  /** Without a session, which would have ended long ago. */
  async function namesKept(userId: string): Promise<string[]> {
    return (await server.context.projects.list(userId)).map(({ name }) => name);
  }
  async function subscribe(id: string, tier: PaidTier, days: number): Promise<void> {
    const now = server.clock.now();
    const row = {
      tier,
      period_start: now,
      period_end: new Date(now.getTime() + days * DAY_MS),
      read_number: 0,
    };
    await server.context.database.db
      .insertInto("subscriptions")
      .values({
        id: `sub_${id}`,
        user_id: id,
        status: "active",
        cancel_at_period_end: false,
        schedule_id: null,
        created_at: now,
        ended_at: null,
        ...row,
      })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
  }
  const sweep = () => deleteExpiredProjects(server.context);

  it("deletes nothing early when the plan is renewed, and says until when it keeps", async () => {
    const token = await server.signUp();
    await subscribe(await userOf(token), "basic", 30);
    await project(token, "Kept", true);
    const owner = await userOf(token);
    const daysKept = async () => {
      const [kept] = await server.context.projects.list(owner);
      return (Date.parse(kept?.storage_expiry ?? "") - server.clock.now().getTime()) / DAY_MS;
    };
    expect(await daysKept()).toBeCloseTo(30, 1);
    server.clock.advance(29 * DAY_MS);
    await subscribe(owner, "basic", 31);
    expect(await daysKept()).toBeCloseTo(31, 1);
    server.clock.advance(10 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual(["Kept"]);
    server.clock.advance(22 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual([]);
  });

  it("keeps what a higher plan promised when a lower one follows", async () => {
    const token = await server.signUp();
    await subscribe(await userOf(token), "enterprise", 30);
    await project(token, "Promised", true);
    const owner = await userOf(token);
    server.clock.advance(60 * DAY_MS);
    await subscribe(owner, "basic", 30);
    await sweep();
    expect(await namesKept(owner)).toEqual(["Promised"]);
    server.clock.advance(121 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual([]);
  });

  it("finishes a deletion that a crash cut off between rows and files", async () => {
    const token = await server.signUp();
    const id = await project(token, "Half gone", false);
    expect(await filesOf(id)).not.toEqual([]);
    const { storage } = server.context;
    const remove = storage.remove;
    storage.remove = () => Promise.reject(new Error("the process was killed"));
    try {
      expect((await server.call("DELETE", `/projects/${id}`, { token })).status).toBe(200);
    } finally {
      storage.remove = remove;
    }
    expect(await namesOf(token)).toEqual([]);
    expect(await filesOf(id)).not.toEqual([]);
    await sweep();
    expect(await filesOf(id)).toEqual([]);
    await sweep();
    const { db } = server.context.database;
    expect(await db.selectFrom("deletions").select("key").execute()).toEqual([]);
  });

  it("keeps everything while the payment provider cannot be asked", async () => {
    const token = await server.signUp();
    const id = await project(token, "Perhaps renewed", false);
    server.clock.advance(5 * DAY_MS);
    const { context } = server;
    const deaf = {
      ...context,
      billing: { ...context.billing, lookUp: () => Promise.reject(new Error("no answer")) },
    };
    expect(await deleteExpiredProjects(deaf)).toBe(0);
    expect(await filesOf(id)).not.toEqual([]);
    expect(await sweep()).toBe(1);
  });

  it("is swept by two workers at once without harm", async () => {
    const token = await server.signUp();
    await project(token, "One", false);
    await project(token, "Two", false);
    server.clock.advance(5 * DAY_MS);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await namesOf(token)).toEqual([]);
  });
});
