import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERRORS } from "@stipple/contract";
import { parser } from "@prometheus-io/lezer-promql";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { migrations } from "../src/db/migrations/index.ts";
import { ApiError } from "../src/http/api-error.ts";
import { requestIds } from "../src/http/request-ids.ts";
import { addPlatformMetrics } from "../src/api/api-metrics.ts";
import { serveMetrics, type MetricsServer } from "../src/operations/metrics-server.ts";
import { addDatabaseMetrics } from "../src/operations/process-metrics.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
/** Captured server log. */
const lines: string[] = [];
beforeAll(async () => {
  server = await startTestServer(
    { STIPPLE_LOG_LEVEL: "trace", STIPPLE_TRUST_PROXY: "127.0.0.1" },
    { logTo: { write: (line) => void lines.push(line) } },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

it("responds without a built web app, and says how to build it", async () => {
  expect((await server.call("GET", "/health")).json).toEqual({
    status: "degraded",
    version: "0.1.0",
    database: true,
    workers: 0,
  });
  const page = await fetch(`${server.url}/`);
  expect(page.status).toBe(404);
  expect(await page.text()).toContain("npm run build");
});

it("logs why the payment provider, the storage, or the database could not be used", async () => {
  const { billing } = server.context;
  const token = await server.signUp();
  const { transactions } = billing;
  const reason = "No such price: 'price_1'";
  const cause = new Error(reason);
  billing.transactions = () =>
    Promise.reject(new ApiError("payment_provider_failed", undefined, { cause }));
  try {
    const { status, json } = await server.call("GET", "/user/transactions", { token });
    expect([status, json.error]).toEqual([502, ERRORS.payment_provider_failed.error]);
  } finally {
    billing.transactions = transactions;
  }
  expect(lines.filter((line) => line.includes(reason))).toEqual([
    expect.stringContaining('"level":"error"'),
  ]);
});

it("answers unknown API URLs and malformed bodies with problem details", async () => {
  const missing = await server.call("GET", "/nothing");
  expect([missing.status, missing.json.code]).toEqual([404, "not_found"]);
  const post = await server.call("POST", "/nothing", { body: {} });
  expect([post.status, post.json.code]).toEqual([404, "not_found"]);
  const broken = await fetch(`${server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{",
  });
  expect(broken.status).toBe(400);
  expect(broken.headers.get("content-type")).toContain("application/problem+json");
});

it("serves pages: known URLs with 200, unknown ones with 404 and the same page, hashed assets as immutable", async () => {
  const web = server.config.webDir;
  await mkdir(join(web, "assets"), { recursive: true });
  await writeFile(join(web, "index.html"), "<!doctype html><title>Stipple</title>");
  await writeFile(join(web, "assets", "main-abc123.js"), "export {};");
  const get = (path: string) => fetch(server.url + path);

  const known = ["/", "/analysis/step3", "/pricing?x=1", "/visualization/some.token.here"];
  const inCapitals = ["/LOGIN", "/Analysis/Step3", "/Studies/id"];
  for (const path of [
    ...known,
    ...inCapitals,
    ...["/studies/id", "/studies/id/samples", "/studies/id/view"],
  ]) {
    const page = await get(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(await page.text()).toContain("Stipple");
    expect(page.headers.get("cache-control")).toBe("no-cache");
  }
  const unknown = await get("/no/such/page");
  expect(unknown.status).toBe(404);
  expect(await unknown.text()).toContain("Stipple");
  const asset = await get("/assets/main-abc123.js");
  expect(asset.headers.get("cache-control")).toContain("immutable");
  const past = await fetch(`${server.url}/assets/main-abc123.js`, {
    headers: { range: "bytes=999-" },
  });
  expect([past.status, past.headers.get("content-range")]).toEqual([416, "bytes */10"]);
  expect(await past.json()).toMatchObject({ code: "range_beyond_end" });
  expect((await get("/assets/gone-000000.js")).status).toBe(404);
  expect((await get("/..%2f..%2fdata%2fjwt-secret")).status).toBeGreaterThanOrEqual(400);
});

it("forbids foreign scripts, inline scripts and framing", async () => {
  const policy = (await fetch(`${server.url}/`)).headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

describe("readiness", () => {
  const ready = async () => {
    const { status, json } = await server.call("GET", "/ready");
    return [status, json.status, json.failing];
  };

  it("names the storage if it is not writable", async () => {
    const folder = server.config.storage.address.slice("file:".length);
    if (!folder.startsWith("/")) return;
    await rename(folder, `${folder}-away`);
    await writeFile(folder, "no folder");
    expect(await ready()).toEqual([503, "not_ready", ["storage"]]);
    await rm(folder);
    await rename(`${folder}-away`, folder);
    await expect.poll(ready).toEqual([200, "ready", []]);
  });

  it("names migrations missing from the database", async () => {
    const { db } = server.context.database;
    const name = Object.keys(migrations).at(-1) ?? "";
    await sql`update kysely_migration set name = ${`${name}-away`} where name = ${name}`.execute(
      db,
    );
    await expect.poll(ready).toEqual([503, "not_ready", ["migrations"]]);
    await sql`update kysely_migration set name = ${name} where name = ${`${name}-away`}`.execute(
      db,
    );
    await expect.poll(ready).toEqual([200, "ready", []]);
  });

  it("names an unresponsive database, while the API reports liveness immediately", async () => {
    await server.context.database.transaction(async (transaction) => {
      await sql`lock table workers, kysely_migration`.execute(transaction);
      const asked = performance.now();
      expect((await server.call("GET", "/health")).json).toMatchObject({ database: false });
      expect(performance.now() - asked).toBeLessThan(20_000);
      await expect.poll(ready).toEqual([503, "not_ready", ["database"]]);
    });
    await expect.poll(ready).toEqual([200, "ready", []]);
  });
});

describe("a request's id", () => {
  it("is the trusted proxy's if valid, and appears in the response and in the log", async () => {
    const named = async (headers: Record<string, string>) =>
      (await server.call("GET", "/health", { headers })).headers.get("x-request-id") ?? "";
    expect(await named({ "x-request-id": "proxy-7f3a.1" })).toBe("proxy-7f3a.1");
    await expect
      .poll(() => lines.some((line) => line.includes('"reqId":"proxy-7f3a.1"')))
      .toBe(true);
    expect(await named({ "x-request-id": "short" })).toMatch(/^[\da-f-]{36}$/);
    expect(await named({ "x-request-id": 'a"} forged log line' })).toMatch(/^[\da-f-]{36}$/);
    const stranger = requestIds(["10.0.0.0/8"]);
    const call = {
      headers: { "x-request-id": "proxy-7f3a.1" },
      socket: { remoteAddress: "192.0.2.1" },
    };
    expect(stranger(call as unknown as IncomingMessage)).toMatch(/^[\da-f-]{36}$/);
  });
});

it("says of a forgotten password that no link can be mailed where no mail is sent", async () => {
  const ask = (email: string) =>
    server.call("POST", "/request-password-reset", { body: { email } });
  await server.signUp("forgetful@example.org");
  for (const email of ["forgetful@example.org", "nobody@example.org"]) {
    expect(await ask(email)).toMatchObject({
      status: 503,
      json: { code: "mail_not_sent", error: expect.stringContaining("doesn't send email") },
    });
  }
});

it("logs user actions by user id, route, and run, without secrets", async () => {
  const email = "secretive@example.org";
  const password = "the-password-of-a-person";
  const first = await server.signUp(email);
  await server.call("POST", "/login", { body: { email, password } });
  await server.call("POST", "/request-password-reset", { body: { email } });
  await server.call("POST", "/reset-password", {
    body: { token: "the-token-of-a-mailed-link", password, confirmPassword: password },
  });
  const project = await server.newProject(first);
  await server.call("GET", `/status?project_id=${project}&token=the-token-in-a-query`, {
    token: first,
  });
  await server.call("GET", `/visualization/${first}/manifest`);
  // An unexpected error whose message contains values that must not be logged.
  const { db } = server.context.database;
  await sql`alter table views_that_are_not_there rename to x`
    .execute(db)
    .catch((error: Error) =>
      server.context.logger.error(
        { err: Object.assign(error, { detail: password }), body: { password, token: first } },
        `it failed with Bearer ${first} at postgresql://stipple:${password}@db/stipple?secret=${password}`,
      ),
    );
  await expect.poll(() => lines.some((line) => line.includes("it failed with"))).toBe(true);
  const written = lines.join("");
  for (const secret of [
    first,
    first.slice(0, 60),
    password,
    email,
    "the-token-of-a",
    "the-token-in-a",
  ]) {
    expect(written).not.toContain(secret);
  }
  const answered = lines
    .map((line) => JSON.parse(line))
    .find(({ route, method }) => route === "/api/create_project" && method === "POST");
  expect(answered).toMatchObject({
    level: "info",
    msg: "answered",
    status: 201,
    person: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

describe("metrics", () => {
  let metrics: MetricsServer;
  const token = "the-token-of-prometheus";
  const scrape = async () =>
    (await fetch(metrics.url, { headers: { authorization: `Bearer ${token}` } })).text();
  const value = async (name: string) =>
    Number(
      new RegExp(`^${name.replaceAll(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(await scrape())?.[1],
    );
  beforeAll(async () => {
    addDatabaseMetrics(server.context.metrics, server.context.database);
    addPlatformMetrics(server.context, server.app.server);
    metrics = await serveMetrics(server.context.metrics, { port: 0, host: "127.0.0.1", token });
  });
  afterAll(() => metrics[Symbol.asyncDispose]());

  it("require the token", async () => {
    expect((await fetch(metrics.url)).status).toBe(401);
    expect(
      (await fetch(metrics.url, { headers: { authorization: "Bearer guessed" } })).status,
    ).toBe(401);
    expect((await fetch(metrics.url.replace("/metrics", "/"))).status).toBe(404);
    // Not on the public port.
    expect((await server.call("GET", "/metrics")).status).toBe(404);
  });

  it("count requests by route template, and bytes", async () => {
    const counted =
      'stipple_http_request_seconds_count{method="GET",route="/api/results/:id",status="401"}';
    expect(await value(counted)).toBeNaN();
    const received = await value("stipple_http_received_bytes_total");
    // A new connection: ones opened before the metrics started are not counted.
    await new Promise<void>((resolve, reject) => {
      request(`${server.url}/api/health`, { agent: false, method: "GET" }, (answer) => {
        answer.resume().once("end", resolve);
      })
        .once("error", reject)
        .end();
    });
    await expect
      .poll(() => value("stipple_http_received_bytes_total"))
      .toBeGreaterThan(received + 20);
    expect(await value("stipple_http_sent_bytes_total")).toBeGreaterThan(100);
    expect(
      await value(
        'stipple_http_request_seconds_count{method="GET",route="/api/health",status="200"}',
      ),
    ).toBeGreaterThan(1);
    expect(await scrape()).not.toMatch(/eyJ/);
  });

  it("cover the queue, workers, the pool, the event loop, memory, and handles", async () => {
    const token = await server.signUp();
    const project = await server.newProject(token);
    const user = await server.context.database.db
      .selectFrom("projects")
      .select("user_id")
      .where("id", "=", project)
      .executeTakeFirstOrThrow();
    await server.context.runs.start(
      { id: project, userId: user.user_id, options: { analysis_type: "basic" } } as never,
      {
        startStep: 0,
        inputs: [],
      },
    );
    await sql`update runs set created_at = now() - interval '90 seconds'`.execute(
      server.context.database.db,
    );
    expect(await value('stipple_queue_runs{state="pending"}')).toBe(1);
    expect(await value("stipple_queue_oldest_seconds")).toBeGreaterThan(89);
    await server.context.runs.cancel(project);
    expect(await value("stipple_queue_oldest_seconds")).toBe(0);
    expect(await value("stipple_workers")).toBe(0);
    expect(await value('stipple_database_connections{state="open"}')).toBeGreaterThan(0);
    expect(await value('stipple_ready{part="storage"}')).toBe(1);
    expect(await value("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(await value("process_open_fds")).toBeGreaterThan(5);
    expect(await value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0);
  });

  it("are reported without a database, except those that come from it", async () => {
    await server.context.database.transaction(async (transaction) => {
      await sql`lock table runs`.execute(transaction);
      const told = await scrape();
      expect(told).toContain('stipple_queue_runs{state="pending"} Nan');
      expect(told).toMatch(/^process_open_fds \d/m);
    });
  });

  it("match those used by the alert rules", async () => {
    const told = new Set(
      [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(
        ([, name, type]) => `${name} ${type}`,
      ),
    );
    const rules = await alertRules();
    expect(rules.length).toBeGreaterThan(8);
    for (const { alert, expr, annotations } of rules) {
      for (const name of metricsIn(expr)) {
        const known = ["counter", "gauge", "histogram", "summary"].filter((type) =>
          told.has(
            `${type === "histogram" ? name.replace(/_(bucket|count|sum)$/, "") : name} ${type}`,
          ),
        );
        expect([alert, name, name === "up" || known.length > 0]).toEqual([alert, name, true]);
      }
      // Every alert has a section in the runbook.
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(await readFile(join(ROOT, "docs/operations.md"), "utf8")).toContain(`### ${alert}\n`);
    }
  });
});

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}

async function alertRules(): Promise<Rule[]> {
  const text = await readFile(join(ROOT, "deploy/prometheus/alerts.yaml"), "utf8");
  return (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
}

/** Metric names in a PromQL expression, which must parse without errors. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`At ${node.from}: ${expression}`);
      if (node.name === "Identifier" && node.node.parent?.name === "VectorSelector") {
        names.push(expression.slice(node.from, node.to));
      }
    },
  });
  return names;
}
