import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteExpiredProjects } from "../src/jobs/delete-expired-projects.ts";
import { startTestServer, type TestServer } from "./server.ts";

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

async function filesOf(projectId: string): Promise<string[]> {
  const root = join(server.config.dataDir, "files");
  if (!existsSync(root)) return [];
  return (await readdir(root, { recursive: true })).filter((path) => path.includes(projectId));
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
});
