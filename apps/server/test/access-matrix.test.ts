import { randomUUID } from "node:crypto";
import * as contract from "@stipple/contract";
import { LAST_STEP, stepFolder, type Route } from "@stipple/contract";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publishFiles } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";

/**
 * Who may do what, generated from the contract: every route × every kind of caller. A route without a row below fails.
 */
const ROUTES = Object.entries(contract as Record<string, unknown>)
  .filter((entry): entry is [string, Route] => isRoute(entry[1]))
  .toSorted(([a], [b]) => a.localeCompare(b));

function isRoute(value: unknown): value is Route {
  return typeof value === "object" && value !== null && "method" in value && "answers" in value;
}

interface Ids {
  project: string;
  view: string;
  share: string;
  payment: string;
}
interface Row {
  path?: (ids: Ids) => Record<string, string>;
  query?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => unknown;
  /** Whether it names something of a person's; then a stranger gets what somebody gets who names nothing that is. */
  names: boolean;
}
const own: Row = { names: false };
const inQuery = (more: Partial<Row> = {}): Row => ({
  names: true,
  query: ({ project }) => ({ project_id: project }),
  ...more,
});
const inPath = (more: Partial<Row> = {}): Row => ({
  names: true,
  path: ({ project }) => ({ id: project }),
  ...more,
});
const slot = { path: () => ({ group: "spatial_11" }) };
const inSlot = inQuery({
  ...slot,
  query: ({ project }) => ({ project_id: project, type: "scale" }),
});
const link: Row = { names: false, path: () => ({ "*": "columns/type.bin" }) };

/** How each route is called. A new route needs a row. */
const MATRIX: Record<string, Row> = {
  accountActivity: own,
  cancelSubscription: { names: false, body: () => ({}) },
  cancelWorkflow: { names: true, body: ({ project }) => ({ project_id: project }) },
  changePassword: {
    names: false,
    body: () => ({ current_password: "x", password: "secret2", confirmPassword: "secret2" }),
  },
  createCheckoutSession: { names: false, body: () => ({ plan: "Basic Tier" }) },
  createDownloadLink: inQuery(),
  createProject: {
    names: false,
    body: () => ({
      project_name: "Mine",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    }),
  },
  createSampleProject: own,
  createShare: inPath({ body: () => ({ days: 7, note: "" }) }),
  deleteAccount: { names: false, body: () => ({ password: "x" }) },
  deleteProject: inPath(),
  deleteView: inPath({ path: ({ project, view }) => ({ id: project, view }) }),
  downgradeSubscription: { names: false, body: () => ({ target_tier: "basic" }) },
  downloadOutput: inQuery(),
  exportAccount: own,
  getImage: inQuery({ path: () => ({ "*": "figures/a.png" }) }),
  getReport: inQuery(),
  getStatistics: inQuery(),
  health: own,
  linkedDownload: link,
  listProjects: own,
  listShares: inPath(),
  login: { names: false, body: () => ({ email: "nobody@example.org", password: "x" }) },
  logout: own,
  reactivateSubscription: own,
  register: { names: false, body: () => ({}) },
  removeUpload: inSlot,
  requestPasswordReset: { names: false, body: () => ({ email: "nobody@example.org" }) },
  resetPassword: { names: false, body: () => ({ token: "x", password: "secret2" }) },
  revokeShare: inPath({ path: ({ project, share }) => ({ id: project, share }) }),
  runWorkflow: { names: true, body: ({ project }) => ({ project_id: project, start_step: 0 }) },
  saveView: inPath({ body: () => ({ name: "Mine", state: {} }) }),
  startVisualization: inQuery(),
  status: inQuery(),
  workflowChoices: inQuery(),
  transactionReceipt: { names: true, path: ({ payment }) => ({ id: payment }) },
  transactions: own,
  uploadChunk: inSlot,
  uploadedChunks: inSlot,
  verifySubscription: own,
  visualizationDifferential: { ...link, body: () => ({ a: "AQ==", b: null }) },
  visualizationDifferentialProgress: { ...link, body: () => ({ a: "AQ==", b: null }) },
  visualizationFile: link,
  visualizationGene: { ...link, query: () => ({ name: "A" }) },
  visualizationGroupMeans: {
    ...link,
    body: () => ({ genes: ["A"], by: "type", within: null }),
  },
  visualizationManifest: link,
  visualizationScore: { ...link, query: () => ({ genes: "A,B" }) },
  visualizationSpotGene: { ...link, query: () => ({ name: "A" }) },
  visualizationStatistics: link,
  visualizationViews: link,
  workflowQueueStatus: own,
};

let server: TestServer;
/** Somebody with a project, a view, a share link and a payment; and somebody else with none of these. */
let ids: Ids;
const absent: Ids = {
  project: randomUUID(),
  view: randomUUID(),
  share: randomUUID(),
  payment: "none",
};
const malformed: Ids = { project: "1' or '1'='1", view: "..", share: "%00", payment: "'" };
let owner: string;
let stranger: string;
/** Tokens that are no session, each with what it is. */
let noSessions: [string, string | undefined][];
/** Tokens that open no view and no download. */
let noLinks: [string, string][];

beforeAll(async () => {
  server = await startTestServer();
  const { context, call } = server;
  owner = await server.signUp("owner@example.org");
  stranger = await server.signUp("stranger@example.org");
  const userId = (await call("GET", "/verify-subscription", { token: owner })).json.id as string;
  const project = await server.newProject(owner);
  await publishFiles(server, project, LAST_STEP, {
    [`${stepFolder(LAST_STEP)}/summary.json`]: "{}",
  });
  const view = (
    await call("POST", `/projects/${project}/views`, {
      token: owner,
      body: { name: "A", state: {} },
    })
  ).json;
  const share = (
    await call("POST", `/projects/${project}/shares`, {
      token: owner,
      body: { days: 7, note: "" },
    })
  ).json;
  await context.database.db
    .insertInto("payments")
    .values({
      id: "pi_owner",
      user_id: userId,
      tier: "basic",
      amount_cents: 1,
      status: "succeeded",
      paid_at: new Date(),
    })
    .execute();
  ids = { project, view: view.id, share: share.id, payment: "pi_owner" };

  const { sub, jti } = JSON.parse(
    Buffer.from(owner.split(".")[1] ?? "", "base64url").toString(),
  ) as { sub: string; jti: string };
  const sign = (
    claims: { audience: string; subject?: string; expires?: Date; id?: string },
    key: Uint8Array = server.config.jwtSecret,
  ) =>
    new SignJWT({ email: "owner@example.org", owner: userId })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(claims.subject ?? sub)
      .setAudience(claims.audience)
      .setJti(claims.id ?? jti)
      .setExpirationTime(claims.expires ?? new Date(Date.now() + 3_600_000))
      .sign(key);
  const past = new Date(Date.now() - 60_000);
  const other = new TextEncoder().encode("not the key of this installation, but as long");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${owner.split(".")[1]}.`;
  const revoked = await server.signUp("revoked@example.org");
  await call("POST", "/logout", { token: revoked });
  const ownLink = (
    await call("POST", `/start_visualization?project_id=${project}`, { token: owner })
  ).json.url as string;
  const tokenOf = (url: string): string => url.split("/").at(-1) ?? "";
  noSessions = [
    ["none", undefined],
    ["no token at all", "x"],
    ["forged", await sign({ audience: "session" }, other)],
    ["unsigned", unsigned],
    ["expired", await sign({ audience: "session", expires: past })],
    ["of a session that never was", await sign({ audience: "session", id: randomUUID() })],
    ["revoked", revoked],
    ["of a share link", tokenOf(share.url)],
    ["of a view", tokenOf(ownLink)],
    ["of a download", await sign({ audience: "download", subject: project })],
  ];
  const foreign = { audience: "visualization", subject: project };
  noLinks = [
    ["no token at all", "x"],
    ["forged", await sign(foreign, other)],
    ["expired", await sign({ ...foreign, expires: past })],
    ["a session's", owner],
    ["of a project that is not", await sign({ ...foreign, subject: randomUUID() })],
    ["of another audience", await sign({ ...foreign, audience: "something else" })],
    ["of a share that was never made", await sign({ ...foreign, audience: "visualization-share" })],
  ];
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function ask(
  name: string,
  route: Route,
  of: Ids,
  { token, pathToken }: { token?: string | undefined; pathToken?: string },
): Promise<{ status: number; text: string }> {
  const row = MATRIX[name] ?? own;
  let path = route.path;
  const given = { ...(pathToken ? { token: pathToken } : {}), ...row.path?.(of) };
  for (const [key, value] of Object.entries(given)) {
    path = path.replace(key === "*" ? "*" : `:${key}`, encodeURIComponent(value));
  }
  const query = new URLSearchParams(row.query?.(of) ?? {}).toString();
  const isUpload = name === "uploadChunk";
  const body = isUpload ? chunk() : row.body?.(of);
  const answer = await server.call(route.method, `${path}${query ? `?${query}` : ""}`, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, text: answer.bytes.toString() };
}

function chunk(): FormData {
  const form = new FormData();
  form.append("file", new Blob(["{}"]), "scalefactors_json.json");
  form.append("chunk", "0");
  form.append("chunks", "1");
  return form;
}

it("has a row for every route, and no other", () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(ROUTES.map(([name]) => name).toSorted());
});

describe.each(ROUTES.filter(([, { access }]) => access === "session"))("%s", (name, route) => {
  it("is refused without a session of one's own", async () => {
    for (const [what, token] of noSessions) {
      const answer = await ask(name, route, ids, { token });
      expect([what, answer.status]).toEqual([what, 401]);
    }
  });

  it.runIf(MATRIX[name]?.names)("gives a stranger what names nothing", async () => {
    const theirs = await ask(name, route, ids, { token: stranger });
    expect(theirs.status).toBe(404);
    expect(await ask(name, route, absent, { token: stranger })).toEqual(theirs);
    const odd = await ask(name, route, malformed, { token: stranger });
    expect([400, 404]).toContain(odd.status);
    expect(theirs.text).not.toContain("owner@example.org");
  });
});

describe.each(
  ROUTES.filter(([, { access }]) => access === "visualization" || access === "download"),
)("%s", (name, route) => {
  it("is refused without a link to it", async () => {
    for (const [what, pathToken] of noLinks) {
      // A session in the header opens no link.
      for (const token of [undefined, owner]) {
        const answer = await ask(name, route, ids, { token, pathToken });
        expect([401, 403, 404], `${what}: ${answer.status} ${answer.text}`).toContain(
          answer.status,
        );
      }
    }
  });
});

it("what the owner has is there when all strangers have tried", async () => {
  const token = owner;
  const [project] = (await server.call("GET", "/projects", { token })).json as { id: string }[];
  expect(project?.id).toBe(ids.project);
  const shares = await server.call("GET", `/projects/${ids.project}/shares`, { token });
  expect(JSON.stringify(shares.json)).toContain(ids.share);
  expect((await server.call("GET", "/verify-subscription", { token })).status).toBe(200);
});
