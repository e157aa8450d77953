import { givePlan } from "./give-plan.ts";
import { stepFolder } from "@stipple/contract";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteExpiredProjects } from "../src/projects/delete-expired-projects.ts";
import { addFiles } from "./published.ts";
import { startTestServer, type Answer, type TestServer } from "./server.ts";

const DAY_MS = 86_400_000;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const get = (path: string, token?: string) => server.call("GET", path, token ? { token } : {});
const post = (path: string, body: unknown, token: string) =>
  server.call("POST", path, { body, token });
const remove = (path: string, token: string) => server.call("DELETE", path, { token });
const tokenOf = (url: string) => url.split("/").at(-1) ?? "";
/** A call that needs a link but no results. */
const open = (url: string) => get(`/visualization/${tokenOf(url)}/views`);
const share = (token: string, id: string, days = 7, note = "") =>
  post(`/projects/${id}/shares`, { days, note }, token);
const save = (token: string, id: string, name: unknown, state: unknown = { x: 1 }) =>
  post(`/projects/${id}/views`, { name, state }, token);
const code = ({ status, json }: Answer) => [status, json?.code];

interface Owner {
  token: string;
  userId: string;
  id: string;
}

/** A new account with a project whose last step wrote a file. */
async function owner(): Promise<Owner> {
  const token = await server.signUp();
  const id = await server.newProject(token);
  await addFiles(server, id, { [`${stepFolder(7)}/summary.json`]: "{}" });
  const userId = (await get("/verify-subscription", token)).json.id as string;
  return { token, userId, id };
}

async function start({ token, id }: Owner): Promise<Answer> {
  return server.call("POST", `/start_visualization?project_id=${id}`, { token });
}

async function subscribe(userId: string, days: number): Promise<void> {
  const now = server.clock.now();
  await givePlan(server.context.database.db, userId, {
    tier: "basic",
    period_start: now,
    period_end: new Date(now.getTime() + days * DAY_MS),
    created_at: now,
  });
}

/** Runs `work` some days later. */
async function later<T>(days: number, work: () => Promise<T>): Promise<T> {
  server.clock.advance(days * DAY_MS);
  try {
    return await work();
  } finally {
    server.clock.advance(-days * DAY_MS);
  }
}

describe("a view URL", () => {
  it("works alone, opens only its own project, and expires after half a day", async () => {
    const ada = await owner();
    const bob = await owner();
    await save(bob.token, bob.id, "Bob's");
    const { url } = (await start(ada)).json;
    expect(url).toMatch(new RegExp(`^${server.config.publicUrl}/visualization/[\\w.-]+$`));
    expect(url).not.toContain(ada.token);
    expect((await open(url)).json).toEqual([]);
    expect((await start({ ...bob, token: ada.token })).json.code).toBe("project_not_found");
    expect(code(await later(0.51, () => open(url)))).toEqual([403, "visualization_expired"]);
  });

  it("is refused when forged, altered, or a token of something else", async () => {
    const ada = await owner();
    const { url } = (await start(ada)).json;
    const [header, , signature] = tokenOf(url).split(".");
    const claims = { sub: ada.id, owner: ada.userId, aud: "visualization", exp: 4_000_000_000 };
    const payload = Buffer.from(JSON.stringify(claims)).toString("base64url");
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode("another key that is long enough to sign"));
    const bare = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [
      "none",
      `${header}.${payload}.${signature}`,
      `${bare}.${payload}.`,
      forged,
      ada.token,
    ]) {
      expect(code(await open(token))).toEqual([404, "not_found"]);
    }
    // Conversely, a link is not a session.
    expect((await get("/projects", tokenOf(url))).status).toBe(401);
  });

  it("says so when its project or its owner is deleted", async () => {
    const ada = await owner();
    const { url } = (await start(ada)).json;
    const shared = (await share(ada.token, ada.id)).json.url as string;
    await remove(`/projects/${ada.id}`, ada.token);
    for (const link of [url, shared]) {
      const answer = await open(link);
      expect(code(answer)).toEqual([404, "project_not_found"]);
      expect(answer.json.error).toBe("The project of this link has been deleted.");
    }
    const bob = await owner();
    const left = (await start(bob)).json.url as string;
    await server.context.database.db.deleteFrom("users").where("id", "=", bob.userId).execute();
    expect(code(await open(left))).toEqual([404, "project_not_found"]);
  });
});

describe("a trial", () => {
  it("ends the view after four days: new URLs, old ones, and share links", async () => {
    const ada = await owner();
    const url = (await start(ada)).json.url as string;
    const shared = (await share(ada.token, ada.id, 30)).json.url as string;
    expect((await later(3.9, () => start(ada))).status).toBe(200);
    expect((await later(3.9, () => open(shared))).status).toBe(200);
    for (const call of [
      () => start(ada),
      () => open(url),
      () => open(shared),
      () => share(ada.token, ada.id),
    ]) {
      const answer = await later(4.1, call);
      expect(code(answer)).toEqual([403, "trial_ended"]);
      expect(answer.json.error).toContain("/pricing");
    }
    // Its projects are then deleted; the reason is still reported.
    await later(4.1, () => deleteExpiredProjects(server.context));
    expect((await get("/projects", ada.token)).json).toEqual([]);
    expect(code(await later(4.1, () => open(url)))).toEqual([403, "trial_ended"]);
    expect(code(await later(4.1, () => start(ada)))).toEqual([403, "trial_ended"]);
  });

  it("limits its share links, which stay limited when a plan is bought", async () => {
    const ada = await owner();
    const made = (await share(ada.token, ada.id, 30)).json;
    const trialEnd = (await get("/verify-subscription", ada.token)).json.subscription_end_date;
    const gap = Date.parse(trialEnd) - Date.parse(made.expires_at);
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(1000);
    const url = (await start(ada)).json.url as string;
    await later(4.1, async () => {
      expect(code(await open(url))).toEqual([403, "trial_ended"]);
      await subscribe(ada.userId, 30);
      // Takes effect at once, although the last lookup was a moment ago.
      expect((await start(ada)).status).toBe(200);
      expect((await open((await start(ada)).json.url)).status).toBe(200);
      expect(code(await open(made.url))).toEqual([403, "visualization_expired"]);
      const longer = (await share(ada.token, ada.id, 30)).json;
      const days = (Date.parse(longer.expires_at) - server.clock.now().getTime()) / DAY_MS;
      expect(days).toBeCloseTo(30, 3);
    });
  });

  it("has no such limit once something was bought: results open until the plan ends, and with the next one", async () => {
    const ada = await owner();
    await subscribe(ada.userId, 20);
    const shared = (await share(ada.token, ada.id, 30)).json.url as string;
    expect((await later(19, () => open(shared))).status).toBe(200);
    expect(code(await later(25, () => open(shared)))).toEqual([403, "subscription_expired"]);
    await server.context.database.db.deleteFrom("subscriptions").execute();
    await subscribe(ada.userId, 60);
    expect((await later(25, () => open(shared))).status).toBe(200);
    expect(code(await later(31, () => open(shared)))).toEqual([403, "visualization_expired"]);
  });
});

describe("share links", () => {
  it("are read-only, listed newest first, and end immediately when revoked", async () => {
    const ada = await owner();
    const first = await share(ada.token, ada.id, 1, "  For Grace  ");
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ note: "For Grace", url: expect.any(String) });
    server.clock.advance(1000);
    const second = await share(ada.token, ada.id, 1);
    const list = (await get(`/projects/${ada.id}/shares`, ada.token)).json;
    const { url, ...stored } = first.json;
    expect(list.map(({ id }: { id: string }) => id)).toEqual([second.json.id, stored.id]);
    expect(list[1]).toEqual(stored);

    const opened = await server.context.visualizationLinks.verify(tokenOf(url));
    expect(opened).toEqual({
      projectId: ada.id,
      readOnly: true,
      mayTake: false,
      unopenedShare: expect.any(String) as string,
      expiresAt: new Date(stored.expires_at),
    });
    expect((await open(url)).headers.get("cache-control")).toBe("no-store");
    const revoke = () => remove(`/projects/${ada.id}/shares/${stored.id}`, ada.token);
    expect((await revoke()).status).toBe(200);
    expect(code(await open(url))).toEqual([403, "share_link_revoked"]);
    expect((await open(second.json.url)).status).toBe(200);
    expect(code(await revoke())).toEqual([404, "not_found"]);
    expect(code(await remove(`/projects/${ada.id}/shares/1'x`, ada.token))).toEqual([
      404,
      "not_found",
    ]);
    server.clock.advance(-1000);
  });

  it("expire, and are no longer listed", async () => {
    const ada = await owner();
    const { url } = (await share(ada.token, ada.id, 1)).json;
    expect((await later(0.99, () => open(url))).status).toBe(200);
    await later(1.01, async () => {
      expect(code(await open(url))).toEqual([403, "visualization_expired"]);
      expect((await get(`/projects/${ada.id}/shares`, ada.token)).json).toEqual([]);
    });
  });

  it("cannot be reconstructed from stored data, including the signing key", async () => {
    const ada = await owner();
    const { url, id } = (await share(ada.token, ada.id)).json;
    const row = await server.context.database.db
      .selectFrom("share_links")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const claims = JSON.parse(Buffer.from(tokenOf(url).split(".")[1], "base64url").toString());
    expect(Buffer.from(claims.jti, "base64url").length).toBeGreaterThanOrEqual(16);
    expect(JSON.stringify(row)).not.toContain(claims.jti);
    const guess = await new SignJWT({ ...claims, jti: row.token_hash })
      .setProtectedHeader({ alg: "HS256" })
      .sign(server.config.jwtSecret);
    expect(code(await open(guess))).toEqual([403, "share_link_revoked"]);
  });

  it("belong only to their owner, and are well-formed", async () => {
    const ada = await owner();
    const eve = await owner();
    const made = (await share(ada.token, ada.id)).json;
    const path = `/projects/${ada.id}/shares`;
    for (const answer of [
      await get(path, eve.token),
      await share(eve.token, ada.id),
      await remove(`${path}/${made.id}`, eve.token),
    ]) {
      expect(code(answer)).toEqual([404, "project_not_found"]);
    }
    // Nor through her own project.
    expect(code(await remove(`/projects/${eve.id}/shares/${made.id}`, eve.token))).toEqual([
      404,
      "not_found",
    ]);
    expect((await get(path)).status).toBe(401);
    expect((await get(path, tokenOf(made.url))).status).toBe(401);
    for (const body of [{ days: 2 }, { days: "7" }, {}, { days: 1, note: "x".repeat(201) }]) {
      expect(code(await post(path, body, ada.token))).toEqual([400, "invalid_request"]);
    }
    expect((await get(path, ada.token)).json).toHaveLength(1);
  });

  it("are limited to fifty per project, even with concurrent requests; expired ones do not count", async () => {
    const ada = await owner();
    const answers = await Promise.all(
      Array.from({ length: 53 }, () => share(ada.token, ada.id, 1)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ json }) => json.code === "limit_reached")).toHaveLength(3);
    expect((await later(1.1, () => share(ada.token, ada.id, 1))).status).toBe(201);
  });
});

describe("saved views", () => {
  it("are saved, listed through every link of the project, replaced by name, deleted", async () => {
    const ada = await owner();
    const state = { color: { by: "gene", gene: "Gad1" }, odd: "\0\ud800'\"\\", n: [1.5, null] };
    const first = await save(ada.token, ada.id, "  Cortex  ", state);
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ name: "Cortex", state });
    server.clock.advance(1000);
    await save(ada.token, ada.id, "Hippocampus");
    const own = (await start(ada)).json.url as string;
    const shared = (await share(ada.token, ada.id)).json.url as string;
    for (const link of [own, shared]) {
      const names = (await open(link)).json.map(({ name }: { name: string }) => name);
      expect(names).toEqual(["Cortex", "Hippocampus"]);
    }
    const again = await save(ada.token, ada.id, "Cortex", { x: 2 });
    expect(again.json).toMatchObject({ id: first.json.id, state: { x: 2 } });
    expect((await open(own)).json).toHaveLength(2);
    const path = `/projects/${ada.id}/views/${first.json.id}`;
    expect((await remove(path, ada.token)).status).toBe(200);
    expect(code(await remove(path, ada.token))).toEqual([404, "not_found"]);
    expect((await open(shared)).json.map(({ name }: { name: string }) => name)).toEqual([
      "Hippocampus",
    ]);
    server.clock.advance(-1000);
  });

  it("can be saved only in the owner's session", async () => {
    const ada = await owner();
    const eve = await owner();
    const { id } = (await save(ada.token, ada.id, "Mine")).json;
    expect(code(await save(eve.token, ada.id, "Hers"))).toEqual([404, "project_not_found"]);
    const deletion = await remove(`/projects/${ada.id}/views/${id}`, eve.token);
    expect(code(deletion)).toEqual([404, "project_not_found"]);
    expect(code(await remove(`/projects/${eve.id}/views/${id}`, eve.token))).toEqual([
      404,
      "not_found",
    ]);
    const link = tokenOf((await start(ada)).json.url);
    expect((await save(link, ada.id, "By link")).status).toBe(401);
  });

  it("refuse invalid views with a sentence", async () => {
    const ada = await owner();
    for (const [name, state] of [
      ["", {}],
      ["   ", {}],
      ["x".repeat(81), {}],
      ["two\nlines", {}],
      [7, {}],
      ["A list", []],
      ["Nothing", null],
    ]) {
      const answer = await save(ada.token, ada.id, name, state);
      expect(code(answer)).toEqual([400, "invalid_request"]);
      expect(answer.json.error).toMatch(/\.$/);
    }
    // Nested so deep that walking it recursively overflows the stack.
    const deep = await fetch(`${server.url}/api/projects/${ada.id}/views`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
      body: `{"name":"Deep","state":{"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`,
    });
    expect([deep.status, ((await deep.json()) as { code: string }).code]).toEqual([
      400,
      "invalid_request",
    ]);
    const large = (bytes: number) => ({ x: "é".repeat((bytes - 8) / 2) });
    expect((await save(ada.token, ada.id, "x".repeat(80), large(1_000_000))).status).toBe(201);
    for (const bytes of [1_000_002, 1_200_000]) {
      const answer = await save(ada.token, ada.id, "Large", large(bytes));
      expect(code(answer)).toEqual([413, "upload_too_large"]);
    }
  });

  it("are limited to a hundred and 20 MB per project; replacing one needs no room", async () => {
    const ada = await owner();
    for (let i = 0; i < 99; i++) await save(ada.token, ada.id, `View ${i}`);
    const more = ["a", "b", "c"].map((name) => save(ada.token, ada.id, name));
    expect((await Promise.all(more)).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await save(ada.token, ada.id, "View 5", { x: 2 })).status).toBe(201);

    const bob = await owner();
    const large = { x: "x".repeat(990_000) };
    for (let i = 0; i < 20; i++) await save(bob.token, bob.id, `View ${i}`, large);
    expect(code(await save(bob.token, bob.id, "One more", large))).toEqual([409, "limit_reached"]);
    expect((await save(bob.token, bob.id, "View 3", large)).status).toBe(201);
  });
});

describe("an account's", () => {
  it("views and share links are exported, without what opens them, and deleted with it", async () => {
    const ada = await owner();
    await save(ada.token, ada.id, "Cortex", { gene: "Gad1" });
    const { url } = (await share(ada.token, ada.id, 7, "For Grace")).json;
    const answer = await get("/account/export", ada.token);
    expect(answer.json.projects).toMatchObject([
      {
        saved_views: [{ name: "Cortex", state: { gene: "Gad1" } }],
        share_links: [{ note: "For Grace", expires_at: expect.any(String) }],
      },
    ]);
    expect(answer.bytes.toString()).not.toMatch(/token|hash/);
    expect(answer.bytes.toString()).not.toContain(tokenOf(url));

    await server.context.database.db.deleteFrom("users").where("id", "=", ada.userId).execute();
    const { db } = server.context.database;
    for (const table of ["share_links", "saved_views"] as const) {
      const rows = await db
        .selectFrom(table)
        .select("id")
        .where("project_id", "=", ada.id)
        .execute();
      expect(rows).toEqual([]);
    }
  });
});
