import { randomUUID } from "node:crypto";
import type { Route } from "@stipple/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MATRIX, type Ids, type Row } from "./contract/calls.ts";
import { populate, type People } from "./contract/people.ts";
import { ROUTES } from "./contract/routes.ts";
import { runRequests, type RequestsReport } from "../../../scripts/fuzz/requests/run-requests.ts";
import { NO_LIMITS, targetOf } from "../../../scripts/fuzz/requests/server.ts";
import { startTestServer, type TestServer } from "./server.ts";

/**
 * Who may do what, generated from the contract: every route × every kind of caller. A route without a row in
 * contract/calls.ts fails.
 */
let server: TestServer;
let people: People;
const absent: Ids = {
  project: randomUUID(),
  view: randomUUID(),
  share: randomUUID(),
  payment: "none",
  session: randomUUID(),
  passkey: "none",
};
const malformed: Ids = {
  project: "1' or '1'='1",
  view: "..",
  share: "\0",
  payment: "a\0b",
  session: "'",
  passkey: "\0",
};

beforeAll(async () => {
  server = await startTestServer(NO_LIMITS);
  people = await populate(server);
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function ask(
  name: string,
  route: Route,
  of: Ids,
  { token, pathToken }: { token?: string | undefined; pathToken?: string },
): Promise<{ status: number; text: string }> {
  const row: Row = MATRIX[name] ?? { names: false };
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

it("has a row for exactly every route", () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(ROUTES.map(([name]) => name).toSorted());
});

const ofSessions = ROUTES.filter(([, { access }]) => access === "session");

describe.each(ofSessions)("%s", (name, route) => {
  it("is refused without a session", async () => {
    for (const [what, token] of people.noSessions) {
      const answer = await ask(name, route, people.ids, { token });
      expect([what, answer.status]).toEqual([what, 401]);
    }
  });
});

describe.each(ofSessions.filter(([name]) => MATRIX[name]?.names))("%s", (name, route) => {
  it("gives a stranger access if no resource is named", async () => {
    const token = people.stranger;
    const theirs = await ask(name, route, people.ids, { token });
    expect(theirs.status).toBe(404);
    expect(await ask(name, route, absent, { token })).toEqual(theirs);
    const odd = await ask(name, route, malformed, { token });
    expect([400, 404]).toContain(odd.status);
    expect(theirs.text).not.toContain("owner@example.org");
  });
});

describe.each(ofSessions.filter(([name]) => !MATRIX[name]?.names))("%s", (name, route) => {
  it("reveals nothing about the owner's resources to a stranger", async () => {
    // Calls that end the caller's session get an account of their own.
    const token = MATRIX[name]?.spare ? await server.signUp() : people.stranger;
    const { status, text } = await ask(name, route, people.ids, { token });
    expect(status).not.toBe(401);
    for (const secret of ["owner@example.org", ...Object.values(people.ids)]) {
      expect(text).not.toContain(secret);
    }
  });
});

it.each([
  ["listProjects", "project"],
  ["transactions", "payment"],
  ["exportAccount", "project"],
] as const)("%s shows the owner what it hides from strangers", async (name, what) => {
  const [, route] = ROUTES.find(([each]) => each === name)!;
  const { text } = await ask(name, route, people.ids, { token: people.owner });
  expect(text).toContain(people.ids[what]);
});

describe.each(
  ROUTES.filter(([, { access }]) => access === "visualization" || access === "download"),
)("%s", (name, route) => {
  it("is refused without a link to it", async () => {
    for (const [what, pathToken] of people.noLinks) {
      // A session in the header does not open a link.
      for (const token of [undefined, people.owner]) {
        const answer = await ask(name, route, people.ids, { token, pathToken });
        expect([401, 403, 404], `${what}: ${answer.status} ${answer.text}`).toContain(
          answer.status,
        );
      }
    }
  });
});

it("the owner's resources survive all strangers' attempts", async () => {
  const token = people.owner;
  const [project] = (await server.call("GET", "/projects", { token })).json as { id: string }[];
  expect(project?.id).toBe(people.ids.project);
  const shares = await server.call("GET", `/projects/${people.ids.project}/shares`, { token });
  expect(JSON.stringify(shares.json)).toContain(people.ids.share);
  expect((await server.call("GET", "/verify-subscription", { token })).status).toBe(200);
});

/** `npm run fuzz` sends tens of thousands. */
describe("mutated requests", () => {
  const EACH = 5;
  /** Calls that mostly succeed only with a payment provider, a mail server, a second factor, or an emailed token. */
  const never = [
    "addPasskey",
    "cancelSubscription",
    "confirmTotp",
    "createCheckoutSession",
    "downgradeSubscription",
    "loginCode",
    "newRecoveryCodes",
    "passkeyLogin",
    "planPreview",
    "reactivateSubscription",
    "removeTotp",
    "resetPassword",
    "sendVerification",
    "transactionReceipt",
    "undoDowngrade",
    "verifyEmail",
  ];
  let report: RequestsReport;
  beforeAll(async () => {
    const target = await targetOf(server, people);
    report = await runRequests(target, { requests: EACH * ROUTES.length, seed: 1 });
  });

  it("are answered according to the contract, or refused according to the catalog", () => {
    expect(report.failures).toEqual([]);
    const refused = Object.values(report.routes).reduce((sum, route) => sum + route.refused, 0);
    expect(refused).toBeGreaterThan(ROUTES.length);
  });

  it("reach every route, and succeed if unmodified", () => {
    const unanswered = Object.entries(report.routes).filter(([, route]) => route.answered === 0);
    const names = unanswered.map(([name]) => name);
    expect(names.filter((name) => !never.includes(name))).toEqual([]);
  });
});
