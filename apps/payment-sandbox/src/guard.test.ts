import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSandbox } from "./app.ts";
import { readSettings } from "./settings.ts";

const secret = "the operator of these tests";
const KEY = "sk_test_sandbox";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
let folder: string;
let app: FastifyInstance;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-guard-"));
  environment = {
    PORT: "3001",
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: "whsec_test",
    STIPPLE_WEBHOOK_URL: "http://127.0.0.1:9/",
    STIPPLE_DATA_DIR: folder,
    STIPPLE_OPERATOR_SECRET: secret,
  };
  app = buildSandbox(readSettings(environment));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: "POST",
    url,
    headers: { host: "localhost:3001", ...FORM, ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: "localhost:3001", ...headers } });
const time = async (): Promise<string | undefined> =>
  /<p>(\d{4}-\d\d-\d\d)/.exec((await get("/")).body)?.[1];

describe("a page of another site", () => {
  it.each([
    ["of another machine", { "sec-fetch-site": "cross-site" }],
    ["of this machine", { "sec-fetch-site": "same-site" }],
    ["of another machine, opened over HTTP", { origin: "http://evil.example" }],
    ["of this machine, opened over HTTP", { origin: "http://localhost:3000" }],
    ["without an address", { origin: "null" }],
  ])("%s cannot move the clock, or hold or release anything", async (_what, headers) => {
    const before = await time();
    for (const path of ["/clock", "/delivery", "/deletions"]) {
      const answer = await post(path, { days: "366", secret }, headers);
      expect(answer.statusCode, path).toBe(403);
    }
    expect((await post("/checkout/cs_1", { card: "4242" }, headers)).statusCode).toBe(403);
    expect(await time()).toBe(before);
  });

  it("on a host name pointed at this machine can read nothing", async () => {
    for (const host of ["evil.example:3001", "localhost.evil.example"]) {
      for (const url of ["/", "/outbox", "/checkout/cs_1", `/outbox?secret=${secret}`]) {
        expect((await get(url, { host })).statusCode, `${host}${url}`).toBe(403);
      }
    }
  });

  it("cannot frame our pages", async () => {
    const { headers } = await get("/");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });
});

describe("a form", () => {
  it("is accepted from our own page and from a local program that is no browser", async () => {
    for (const headers of [
      { "sec-fetch-site": "same-origin", origin: "http://localhost:3001" },
      ...["localhost:3001", "127.0.0.1:3001", "[::1]:3001"].map((host) => ({ host })),
    ]) {
      const before = await time();
      expect((await post("/clock", { days: "1" }, headers)).statusCode).toBe(303);
      expect(await time()).not.toBe(before);
    }
  });
});

describe("the outbox", () => {
  it("opens only with the operator's secret", async () => {
    await app.inject({
      method: "POST",
      url: "/outbox",
      headers: { host: "localhost:3001", authorization: `Bearer ${KEY}` },
      payload: { to: "ada@example.org", subject: "s", text: "the link" },
    });
    const asked = await get("/outbox");
    expect(asked.statusCode).toBe(401);
    for (const answer of [asked, await get("/outbox?secret=wrong")]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.body).not.toContain("the link");
      expect(answer.body).toContain("Operator's secret");
    }
    const opened = await get(`/outbox?${new URLSearchParams({ secret }).toString()}`);
    expect(opened.body).toContain("the link");
  });
});

describe("projects", () => {
  it("are deleted by the moved clock only with the operator's permission", async () => {
    expect((await get("/")).body).toContain("are kept until you delete them here");
    expect((await post("/deletions", {})).statusCode).toBe(401);
    expect((await post("/deletions", { secret: "wrong" })).statusCode).toBe(401);
    expect((await get("/")).body).toContain("are kept until you delete them here");
    expect((await post("/deletions", { secret })).statusCode).toBe(303);
    expect((await get("/")).body).not.toContain("are kept until you delete them here");
  });
});

describe("starting", () => {
  it.each([
    [{ NODE_ENV: "production" }, "production mode"],
    [{ STRIPE_SECRET_KEY: "sk_live_1" }, "live key"],
    [{ STRIPE_SECRET_KEY: "rk_live_1" }, "live key"],
    [{ STIPPLE_PUBLIC_URL: "https://stipple.example.org" }, "public address"],
    [{ STIPPLE_PAYMENT_SANDBOX_URL: "https://pay.example.org" }, "public address"],
    [{ STIPPLE_PUBLIC_URL: "http://8.8.8.8:3000" }, "public address"],
    [{ STIPPLE_PUBLIC_URL: "http://[2001:4860::1]" }, "public address"],
  ])("is refused with %o", (extra, why) => {
    expect(() => readSettings({ ...environment, ...extra })).toThrow(why);
  });

  it.each(["http://localhost:3000", "http://127.0.0.1", "http://10.0.0.5", "http://lab.internal"])(
    "is allowed for %s",
    (url) => {
      expect(readSettings({ ...environment, STIPPLE_PUBLIC_URL: url }).port).toBe(3001);
    },
  );
});
