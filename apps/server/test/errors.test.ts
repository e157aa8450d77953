import { confirmPassword, setPassword } from "../src/accounts/accounts.ts";
import { givePlan } from "./give-plan.ts";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { text as streamText } from "node:stream/consumers";
import { CHUNK_BYTES, ERRORS, RESULTS_HEADER, TRIAL, type ErrorCode } from "@stipple/contract";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DatabaseAwayError, type Db } from "../src/db/database.ts";
import { ApiError } from "../src/http/api-error.ts";
import { addFiles } from "./published.ts";
import { startTestServer, type Answer, type TestServer } from "./server.ts";
import { fillUnread } from "./unread-files.ts";

/** A real call triggers every refusal in the catalog with its status, message, and format. */
let server: TestServer;
let token: string;
let project: string;

beforeAll(async () => {
  server = await startTestServer({ STIPPLE_LOGINS_PER_MINUTE: "40", STIPPLE_LOGIN_FAILURES: "2" });
  token = await server.signUp();
  project = await server.newProject(token);
});
afterAll(() => server?.[Symbol.asyncDispose]());

const post = (path: string, body: unknown, as?: string) =>
  server.call("POST", path, { body, ...(as ? { token: as } : {}) });
const get = (path: string) => server.call("GET", path, { token });
const ada = { email: "ada@example.org", password: "secret1", confirmPassword: "secret1" };
const options = { platform: "visium", staining: "h_and_e", analysis_type: "basic" };
const chunk = (address: string, name: string, bytes: Uint8Array) =>
  server.sendChunk(token, project, address, { name, bytes });
const run = (as: string, id: string) =>
  post("/run_workflow", { project_id: id, start_step: 0 }, as);

/** A new account's project with the files a run needs. */
async function ready(): Promise<{ as: string; id: string }> {
  const as = await server.signUp();
  const id = await server.newProject(as);
  await fillUnread(server, id);
  return { as, id };
}

/** Active subscription for a new account, as if purchased. */
async function subscriber(tier: "basic" | "professional"): Promise<string> {
  const as = await server.signUp();
  const { id } = (await server.call("GET", "/verify-subscription", { token: as })).json;
  await givePlan(server.context.database.db, id, {
    tier,
    period_end: new Date(Date.now() + 86_400_000),
  });
  return as;
}

/** A download of results, asked for with these headers. */
async function downloaded(headers: Record<string, string>): Promise<Answer> {
  const as = await subscriber("basic");
  const done = await server.newProject(as);
  await addFiles(server, done, { "step7_output/done.txt": Buffer.from("done") });
  return server.call("GET", `/download_output?project_id=${done}`, { token: as, headers });
}

/** The owner's link to the interactive view. */
async function ownLink(): Promise<string> {
  const { id: userId } = (await get("/verify-subscription")).json;
  return server.context.visualizationLinks.issue({ id: project, userId });
}
const manifest = (link: string) =>
  server.call("GET", `/visualization/${link.split("/").at(-1)}/manifest`);

const keep = (projectId: string) =>
  post("/references", { project_id: projectId, name: "cells", tissue: "brain" }, token);

/** A call whose handler fails with this error. */
async function broken(error: Error): Promise<Answer> {
  const { transactions } = server.context.billing;
  server.context.billing.transactions = () => Promise.reject(error);
  try {
    return await get("/user/transactions");
  } finally {
    server.context.billing.transactions = transactions;
  }
}

const PROVOKED: Record<ErrorCode, () => Promise<Answer>> = {
  invalid_request: () => post("/create-checkout-session", { plan: 7 }, token),
  email_invalid: () => post("/register", { ...ada, email: "nobody" }),
  password_too_short: () => post("/register", { ...ada, password: "five5" }),
  passwords_differ: () => post("/register", { ...ada, confirmPassword: "other" }),
  fields_required: () => post("/register", {}),
  async email_taken() {
    await post("/register", ada);
    return post("/register", ada);
  },
  credentials_wrong: () => post("/login", { email: "x@example.org", password: "wrong" }),
  password_wrong: () => post("/delete-account", { password: "wrong" }, token),
  reset_link_invalid: () =>
    post("/reset-password", { token: "no", password: "secret1", confirmPassword: "secret1" }),
  async code_wrong() {
    const { json } = await post("/account/totp", { password: "secret1" }, token);
    return post("/account/totp/confirm", { ticket: json.ticket, code: "no" }, token);
  },
  sign_in_step_over: () => post("/login/code", { ticket: "no", code: "000000" }),
  async passkey_refused() {
    const { json } = await post("/login/passkey/start", {});
    return post("/login/passkey", { ticket: json.ticket, response: { id: "none" } });
  },
  // This server has neither a mail server nor an outbox.
  mail_not_sent: () => post("/account/verify-email", undefined, token),
  verification_link_invalid: () => post("/verify-email", { token: "no" }),
  unauthenticated: () => server.call("GET", "/projects"),
  session_expired: () => server.call("GET", "/projects", { token: "not.a.token" }),
  not_found: () => get("/no/such/address"),
  method_not_allowed: () => get("/login"),
  study_not_found: () => get("/studies/none"),
  project_not_found: () => get("/status?project_id=none"),
  project_name_required: () => post("/create_project", { project_name: " " }, token),
  options_incomplete: () =>
    post("/create_project", { project_name: "A", analysis_options: {} }, token),
  resolution_required: () =>
    post(
      "/create_project",
      { project_name: "A", analysis_options: { ...options, platform: "hd_visium" } },
      token,
    ),
  async project_busy() {
    const { as, id } = await ready();
    await run(as, id);
    return server.call("DELETE", `/projects/${id}`, { token: as });
  },
  upload_slot_unknown: () => chunk("other?type=matrix", "m.h5", Buffer.from("x")),
  upload_type_wrong: () => chunk("he_image", "scan.png", Buffer.from("x")),
  upload_chunk_invalid: () =>
    server.sendChunk(token, project, "he_image", {
      name: "a.tif",
      bytes: Buffer.from("x"),
      chunk: "one",
    }),
  upload_chunk_damaged: () =>
    server.sendChunk(token, project, "he_image", {
      name: "a.tif",
      bytes: Buffer.from("x"),
      sha256: "00",
    }),
  upload_file_invalid: () => chunk("he_image", "photo.tif", Buffer.from("this is text")),
  upload_too_large: () => chunk("he_image", "a.tif", Buffer.alloc(CHUNK_BYTES + 1)),
  reference_not_found: () => server.call("DELETE", "/references/none", { token }),
  reference_missing: () => keep(project),
  async reference_refused() {
    const other = await server.newProject(token, "B");
    await server.sendChunk(token, other, "reference", {
      name: "cells.h5ad",
      bytes: Buffer.from("\x89HDF\r\n\x1a\n", "latin1"),
    });
    return keep(other);
  },
  inputs_missing: () => run(token, project),
  async workflow_active() {
    const { as, id } = await ready();
    await run(as, id);
    return run(as, id);
  },
  async projects_used_up() {
    const as = await server.signUp("collector@example.org");
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token: as })).json;
    const rows = Array.from({ length: TRIAL.projects }, (_, at) => ({
      id: crypto.randomUUID(),
      user_id: userId as string,
      name: `Project ${at}`,
      options: JSON.stringify(options),
      created_at: new Date(),
    }));
    await server.context.database.db.insertInto("projects").values(rows).execute();
    return post("/create_project", { project_name: "A", analysis_options: options }, as);
  },
  async storage_used_up() {
    const as = await server.signUp("hoarder@example.org");
    const inTheWay = await server.newProject(as);
    await server.context.database.db
      .insertInto("uploads")
      .values({
        project_id: inTheWay,
        slot: "he_image",
        incoming_name: "a.tif",
        incoming_chunks: 1e6,
      })
      .execute();
    const project = await server.newProject(as);
    return server.sendChunk(as, project, "he_image", { name: "a.tif", bytes: Buffer.from("II") });
  },
  async quota_used_up() {
    const { as, id } = await ready();
    const { database } = server.context;
    const { id: userId } = (await server.call("GET", "/verify-subscription", { token: as })).json;
    await database.db
      .insertInto("analyses")
      .values({
        project_id: crypto.randomUUID(),
        user_id: userId,
        plan: "trial",
        counted_at: new Date(),
        completed_at: null,
        retention_days: null,
      })
      .execute();
    return run(as, id);
  },
  async subscription_expired() {
    const { as, id } = await ready();
    server.clock.advance(5 * 86_400_000);
    try {
      return await run(as, id);
    } finally {
      server.clock.advance(-5 * 86_400_000);
    }
  },
  async inputs_unusable() {
    const { as, id } = await ready();
    const text = "ACGTACGTACGTACGTA-1,1,0,0,5,5\nACGTACGTACGTACGTC-1,1,1,1,9,9\n";
    const file = { name: "tissue_positions.csv", bytes: Buffer.from(text) };
    await server.sendChunk(as, id, "spatial_data?type=positions", file);
    return run(as, id);
  },
  start_step_invalid: () => post("/run_workflow", { project_id: project, start_step: 8 }, token),
  results_not_ready: () => get(`/get_statistics?project_id=${project}`),
  async results_outdated() {
    await addFiles(server, project, { "step6_output/viewer/manifest.json": '{"version":1}' });
    return manifest(await ownLink());
  },
  async results_changed() {
    await addFiles(server, project, { "step6_output/viewer/manifest.json": "{}" });
    const opened = (await ownLink()).split("/").at(-1);
    const headers = { [RESULTS_HEADER]: "those of an earlier run" };
    return server.call("GET", `/visualization/${opened}/statistics`, { headers });
  },
  download_not_in_trial: () => get(`/download_output?project_id=${project}`),
  async visualization_expired() {
    const link = await ownLink();
    server.clock.advance(13 * 3_600_000);
    try {
      return await manifest(link);
    } finally {
      server.clock.advance(-13 * 3_600_000);
    }
  },
  async share_link_revoked() {
    const share = await post(`/projects/${project}/shares`, { days: 1 }, token);
    await server.call("DELETE", `/projects/${project}/shares/${share.json.id}`, { token });
    return manifest(share.json.url);
  },
  async trial_ended() {
    server.clock.advance(5 * 86_400_000);
    try {
      return await post(`/start_visualization?project_id=${project}`, undefined, token);
    } finally {
      server.clock.advance(-5 * 86_400_000);
    }
  },
  async file_damaged() {
    await addFiles(server, project, { "figures/damaged.png": "a figure" });
    const file = await server.context.outputs.find(project, "figures/damaged.png");
    await server.context.storage.remove([file!.storageKey]);
    return get(`/get_image/figures/damaged.png?project_id=${project}`);
  },
  range_beyond_end: () => downloaded({ range: "bytes=999999-" }),
  file_changed: () => downloaded({ "if-match": '"of another state"' }),
  async limit_reached() {
    const share = () => post(`/projects/${project}/shares`, { days: 1 }, token);
    for (let i = 0; i < 50; i++) await share();
    return share();
  },
  annotations_changed: () => post(`/projects/${project}/annotations/undo`, { revision: 9 }, token),
  async study_changed() {
    const { id } = (await post("/studies", { name: "A", project_ids: [project] }, token)).json;
    return post(`/studies/${id}`, { version: "earlier", columns: [], samples: [] }, token);
  },
  plan_unknown: () => post("/create-checkout-session", { plan: "Platinum" }, token),
  receipt_missing: () => get("/user/transactions/none/receipt"),
  plan_current: async () =>
    post("/create-checkout-session", { plan: "Basic Tier" }, await subscriber("basic")),
  downgrade_instead: async () =>
    post("/create-checkout-session", { plan: "Basic Tier" }, await subscriber("professional")),
  no_downgrade: async () => post("/undo-downgrade", {}, await subscriber("basic")),
  not_a_downgrade: async () =>
    post("/downgrade-subscription", { target_tier: "professional" }, await subscriber("basic")),
  no_subscription: () => post("/cancel-subscription", {}, token),
  // No provider is configured here.
  payment_provider_failed: () => post("/create-checkout-session", { plan: "Basic Tier" }, token),
  async rate_limited() {
    const guess = () => post("/login", { email: "guess@example.org", password: "wrong" });
    await guess();
    await guess();
    return guess();
  },
  database_away: () => broken(new DatabaseAwayError("gone")),
  storage_away: () =>
    broken(Object.assign(new Error("connect"), { code: "ECONNREFUSED", $metadata: {} })),
  request_late: () => broken(new ApiError("request_late")),
  stopping: () => broken(new ApiError("stopping")),
  storage_full: () => broken(Object.assign(new Error("full"), { code: "ENOSPC" })),
  internal: () => broken(new Error("select secret from somewhere")),
};

describe("the catalog", () => {
  it.each(Object.keys(PROVOKED) as ErrorCode[])("%s", async (code) => {
    const answer = await PROVOKED[code]();
    expect(answer.json).toMatchObject({
      type: `urn:stipple:error:${code}`,
      title: ERRORS[code].error,
      status: ERRORS[code].status,
      code,
    });
    expect(answer.status).toBe(ERRORS[code].status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json.error).toMatch(/\w/);
    // Internal details are not revealed.
    expect(answer.json.error).not.toContain("select secret");
    // The web pages take this phrase to mean that a workflow is running.
    expect(answer.json.error.includes("already have")).toBe(code === "workflow_active");
  });
});

describe("a broken multipart form", () => {
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const head = 'Content-Disposition: form-data; name="file"; filename="a.json"';
  it.each([
    ["that ends after its first boundary", "--b\r\n"],
    ["that ends in a part's header", `--b\r\n${head}`],
    ["that ends in a file", `--b\r\n${head}\r\n\r\nabc`],
    ["whose part has no header", "--b\r\n\r\nabc\r\n--b--\r\n"],
    ["with an invalid header", "--b\r\n\u0000: \r\n\r\nabc\r\n--b--\r\n"],
    ["that is empty", ""],
  ])("%s is refused in one sentence", async (_what, body) => {
    const path = `/api/upload/spatial_11?project_id=${project}&type=scale`;
    const answer = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` },
      body,
    });
    expect(answer.status).toBe(400);
    const { error } = (await answer.json()) as { error: string };
    expect(error).toMatch(/^[A-Z].*\.$/);
  });
});

describe("a malformed request", () => {
  /** Raw bytes on the wire: HTTP clients would not send them. */
  async function raw(text: string): Promise<{ head: string; problem: unknown }> {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.end(text);
    const [head, body] = (await streamText(socket)).split("\r\n\r\n") as [string, string];
    return { head, problem: JSON.parse(body) };
  }
  const request = (path: string, ...headers: string[]): string =>
    [`GET ${path} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""].join("\r\n");

  it.each([
    ["no HTTP", "hello\r\n\r\n", "The request is not valid."],
    [
      "too long",
      request("/api/health", `X-Long: ${"h".repeat(20_000)}`),
      "The request is not valid: its URL and headers together exceed 16 KiB.",
    ],
    [
      "an invalid URL",
      request("/api/health%zz"),
      "The request is not valid: its URL is not valid.",
    ],
    [
      "an expectation",
      request("/api/health", "Expect: 200-ok"),
      "The request is not valid: this server does not support its Expect header.",
    ],
  ])("is refused in the same format as every refusal: %s", async (_what, text, error) => {
    const { head, problem } = await raw(text);
    expect(head).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json/i);
    expect(problem).toMatchObject({ code: "invalid_request", status: 400, error });
  });

  it("is refused without a body if sent as HEAD", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.end(request(`/api/health?${"=".repeat(20_000)}`).replace("GET", "HEAD"));
    expect(await streamText(socket)).toMatch(/^HTTP\/1.1 400 .*\r\n\r\n$/s);
  });

  it.each([
    ["/login", "application/xml", "<a/>", "its body must be JSON (application/json)"],
    ["/login", "text/plain", "{}", "its body must be JSON (application/json)"],
    ["/login", "application/json", "{", "its body is not JSON"],
    ["/cancel_workflow", "application/json", "", "its content is missing"],
    ["/cancel_workflow", "application/json", "{}", "project_id is missing"],
    ["/cancel_workflow", "application/json", '{"project_id":7}', "project_id must be text"],
    ["/cancel_workflow", "application/json", "[]", "its content must be an object"],
    ["/studies/none/shares", "application/json", '{"days":2}', "days must be 1 or 7 or 30"],
    ["/projects/none/shares", "application/json", '{"days":7,"note":5}', "note must be text"],
    [
      "/downgrade-subscription",
      "application/json",
      '{"target_tier":"x"}',
      "target_tier must be basic or professional",
    ],
  ])("%s as %s: %s", async (path, type, body, what) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method: "POST",
      headers: { "content-type": type, authorization: `Bearer ${token}` },
      body,
    });
    expect(await answer.json()).toMatchObject({
      status: 400,
      error: `The request is not valid: ${what}.`,
    });
  });

  it.each([
    ["/cancel-subscription", { subscription_id: null }, "no_subscription"],
    ["/run_workflow", { settings: null, analysis_type: null }, "inputs_missing"],
    ["/studies/none/shares", { days: 7, note: null }, "study_not_found"],
  ])("is none if what it may leave out is null: %s", async (path, body, code) => {
    const sent = { project_id: project, ...body };
    const answer = await server.call("POST", path, { token, body: sent });
    expect(answer.json).toMatchObject({ code });
  });

  it("says of what it must state and is null that it is missing", async () => {
    const body = { project_id: null };
    const { json } = await server.call("POST", "/cancel_workflow", { token, body });
    expect(json.error).toBe("The request is not valid: project_id is missing.");
  });

  it.each([101, 7_000, 400_000])("is refused if nested %d levels deep", async (levels) => {
    const inner = levels - 5;
    const settings = `{"a":${"[".repeat(inner)}${"]".repeat(inner)}}`;
    const value = `{"name":"A","settings":${settings},"groups":[],"labels":"","cellsKey":"k"}`;
    const item = `{"id":"a","kind":"clusters","value":${value},"revision":0}`;
    const answer = await fetch(`${server.url}/api/projects/${project}/annotations`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: `{"id":"${randomUUID()}","changes":[${item}]}`,
    });
    expect(await answer.json()).toMatchObject({
      status: 400,
      error: "The request is not valid: its body is nested more than 100 levels deep.",
    });
  });

  it.each([
    ["Latin-1", Buffer.from('{"project_name":"Mäuse"}', "latin1")],
    ["UTF-16", Buffer.from('\ufeff{"project_name":"Mäuse"}', "utf16le")],
    ["gzip", gzipSync('{"project_name":"Mice"}')],
  ])("is refused in %s, which would be read as something else", async (_encoding, body) => {
    const answer = await fetch(`${server.url}/api/create_project`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body,
    });
    expect(await answer.json()).toMatchObject({
      status: 400,
      error: "The request is not valid: its body must be in UTF-8 and not compressed.",
    });
  });

  it("is refused at once if its lists have more faults than can be listed", async () => {
    const send = async (path: string, body: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const sent = fetch(`${server.url}/api${path}`, { method: "POST", headers, body });
      return (await sent).json();
    };
    const zeros = (count: number) => `[${"0,".repeat(count)}0]`;
    const value = `{"name":"A","class":null,"color":"#000000","polygons":[${zeros(400_000)}],"excluded":false}`;
    const item = `{"id":"a","kind":"region","value":${value},"revision":0}`;
    const path = `/projects/${project}/annotations`;
    const started = performance.now();
    for (const [to, body, what] of [
      ["/studies", `{"name":"A","project_ids":${zeros(400_000)}}`, "project_ids has"],
      [path, `{"id":"${randomUUID()}","changes":${zeros(2_000_000)}}`, "changes has"],
      [path, `{"id":"${randomUUID()}","changes":[${item}]}`, "its lists have"],
    ] as const) {
      const error = `The request is not valid: ${what} too many entries.`;
      expect(await send(to, body)).toMatchObject({ status: 400, error });
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("names no method that it has if a part of its address is too long", async () => {
    const answer = await get(`/visualization/${"x".repeat(5_000)}/manifest`);
    expect([answer.status, answer.json.error]).toEqual([
      404,
      expect.stringMatching(/^There is no GET \/api\/visualization\/x+…\.$/),
    ]);
  });

  it.each(["application/json", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"])(
    "an empty body announced as %s counts as no body",
    async (type) => {
      const headers = { "content-type": type, authorization: `Bearer ${token}` };
      const call = (method: string, path: string, body?: string) =>
        fetch(`${server.url}/api${path}`, { method, headers, ...(body === "" ? { body } : {}) });
      for (const body of ["", undefined]) {
        const reactivated = await call("POST", "/reactivate-subscription", body);
        expect(await reactivated.json()).toMatchObject({ code: "no_subscription" });
        const deleted = await call("DELETE", `/projects/${randomUUID()}`, body);
        expect(await deleted.json()).toMatchObject({ code: "project_not_found" });
      }
    },
  );

  it.each([
    ["GET", "/login", "POST"],
    ["PUT", "/projects", "GET, HEAD"],
    ["POST", "/get_image/step0_output/a.png", "GET, HEAD"],
    ["PATCH", "/upload/he_image", "POST, DELETE"],
  ])("%s %s states which methods the URL supports", async (method, path, allowed) => {
    const answer = await fetch(`${server.url}/api${path}`, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allowed]);
  });

  it("is logged without terminal control characters, in a few lines at most", async () => {
    const name = "\u001b[31m".padEnd(5_000, "x");
    const answer = await get(`/${encodeURIComponent(name)}`);
    expect(answer.json.error.length).toBeLessThan(200);
    const gene = await server.call(
      "GET",
      `/visualization/${(await ownLink()).split("/").at(-1)}/gene?name=a%00b`,
    );
    expect(gene.json.error).not.toContain("\0");
  });

  it.each([
    ["DELETE", () => `/projects/${project}/shares/a%00b`],
    ["DELETE", () => `/projects/${project}/views/a%00b`],
    ["GET", () => "/user/transactions/a%00b/receipt"],
  ])("a NUL in an id matches nothing: %s %s", async (method, path) => {
    expect((await server.call(method, path(), { token })).status).toBe(404);
  });
});

it("a call by an account deleted in the meantime reports that the session is over", async () => {
  const { database, entitlements } = server.context;
  const gone = randomUUID();
  const over = expect.objectContaining({ code: "session_expired" }) as unknown;
  await expect(setPassword(database.db, gone, "secret2")).rejects.toEqual(over);
  await expect(confirmPassword(server.context, gone, "secret1")).rejects.toEqual(over);
  await expect(entitlements.subscriptionOf(gone)).rejects.toEqual(over);
});

it("signing out of an account that is being deleted waits for it and succeeds", async () => {
  const as = await server.signUp();
  const { id } = (await server.call("GET", "/verify-subscription", { token: as })).json;
  const { database } = server.context;
  let signedOut: Promise<Answer> | undefined;
  // Each holds a row the other needs: the session row and the account row.
  await database.transaction(async (deletion) => {
    await deletion.selectFrom("users").select("id").where("id", "=", id).forUpdate().execute();
    if (!signedOut) {
      signedOut = post("/logout", undefined, as);
      await expect.poll(() => waitingForLocks(database.db)).toBe(1);
    }
    await deletion.deleteFrom("users").where("id", "=", id).execute();
  });
  expect((await signedOut)?.json).toEqual({ message: "You are logged out." });
});

async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0].waiting;
}

it("a project deleted while its run is being accepted is either gone or running, never in between", async () => {
  for (let round = 0; round < 12; round++) {
    const { as, id } = await ready();
    const [started, deleted] = await Promise.all([
      run(as, id),
      server.call("DELETE", `/projects/${id}`, { token: as }),
    ]);
    const { status } = await server.call("GET", `/status?project_id=${id}`, { token: as });
    const outcome = [started.status, deleted.status, status];
    expect([
      [404, 200, 404],
      [202, 409, 200],
      // The inputs were removed while the run was looking for them.
      [400, 200, 404],
    ]).toContainEqual(outcome);
  }
});
