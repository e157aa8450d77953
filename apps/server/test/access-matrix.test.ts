import { givePlan } from "./give-plan.ts";
import { randomUUID } from "node:crypto";
import { ERRORS, type ErrorCode, type Route } from "@stipple/contract";
import { RESULT_ACCESS, resultUse, type ResultUse } from "@stipple/contract/result-access";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MATRIX, type Ids, type Row } from "./contract/calls.ts";
import { lastingDownload, populate, type People } from "./contract/people.ts";
import { ROUTES } from "./contract/routes.ts";
import { runRequests, type RequestsReport } from "../../../lab/fuzz/requests/run-requests.ts";
import { NO_LIMITS, targetOf } from "../../../lab/fuzz/requests/server.ts";
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
  reference: "none",
  version: randomUUID(),
  study: randomUUID(),
  studyShare: randomUUID(),
};
const malformed: Ids = {
  project: "1' or '1'='1",
  view: "..",
  share: "\0",
  payment: "a\0b",
  session: "'",
  passkey: "\0",
  reference: "\0",
  version: "..",
  study: "..",
  studyShare: "\0",
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

describe.each(ROUTES.filter(([, { access }]) => access !== "session" && access !== "public"))(
  "%s",
  (name, route) => {
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
  },
);

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
    // It needs an uploaded reference; references.test.ts keeps one.
    "keepReference",
    "loginCode",
    "newRecoveryCodes",
    // It needs a file; own-files.test.ts uploads one.
    "ownFile",
    "passkeyLogin",
    "planPreview",
    "reactivateSubscription",
    // It needs a file; own-files.test.ts reads one.
    "readLabelImage",
    "removeTotp",
    "requestPasswordReset",
    "resetPassword",
    "sendVerification",
    // It needs a slide with several pieces; pieces.test.ts splits one.
    "splitProject",
    "transactionReceipt",
    "undoDowngrade",
    "useNucleusEdits",
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

/** The table of the contract, asked of every route that hands out results. After the fuzzing, which publishes a view. */
describe("data of results", () => {
  const using = ROUTES.filter(([, route]) => resultUse(route) !== "none");
  let links: People["links"];
  beforeAll(async () => {
    const { ids, owner } = people;
    const post = async (path: string, body?: unknown) =>
      (await server.call("POST", path, { token: owner, body })).json.url as string;
    const last = (url: string) => url.split("/").at(-1) ?? "";
    links = {
      view: last(await post(`/start_visualization?project_id=${ids.project}`)),
      share: last(await post(`/projects/${ids.project}/shares`, { days: 7, note: "" })),
      study: last(await post(`/studies/${ids.study}/shares`, { days: 7, note: "" })),
      download: await lastingDownload(server, owner, ids.project),
    };
  });

  /** Turns the owner's account into one of another kind. */
  async function become(kind: Kind): Promise<void> {
    const { db } = server.context.database;
    const DAY_MS = 86_400_000;
    const hadPlan = kind === "plan" || kind === "ended plan";
    const { user_id: userId } = await db
      .selectFrom("projects")
      .select("user_id")
      .where("id", "=", people.ids.project)
      .executeTakeFirstOrThrow();
    // What the owner's plan allows is remembered for some seconds.
    server.clock.advance(6000);
    await db.deleteFrom("subscriptions").where("user_id", "=", userId).execute();
    const registered = kind === "ended trial" ? Date.now() - 5 * DAY_MS : Date.now();
    await db
      .updateTable("users")
      .set({ created_at: new Date(registered) })
      .where("id", "=", userId)
      .execute();
    if (!hadPlan) return;
    const days = kind === "plan" ? 30 : -1;
    await givePlan(db, userId, {
      tier: "basic",
      period_start: new Date(Date.now() - 31 * DAY_MS),
      period_end: new Date(Date.now() + days * DAY_MS),
      created_at: new Date(Date.now() - 31 * DAY_MS),
    });
  }

  type Kind = "plan" | "trial" | "ended trial" | "ended plan";
  const REFUSALS: [Kind, Partial<Record<ResultUse, ErrorCode>>][] = [
    ["plan", {}],
    ["trial", { taken: "download_not_in_trial" }],
    ["ended trial", { seen: "trial_ended", taken: "trial_ended" }],
    ["ended plan", { seen: "subscription_expired", taken: "subscription_expired" }],
  ];

  it.each(REFUSALS)(
    "are refused to an account with %s exactly as the table says",
    async (kind, refusals) => {
      await become(kind);
      for (const [name, route] of using) {
        const refusal = refusals[resultUse(route)];
        const pathTokens =
          route.access === "visualization"
            ? [links.view, links.share]
            : [
                route.access === "download"
                  ? links.download
                  : route.access === "study_link"
                    ? links.study
                    : "",
              ];
        for (const pathToken of pathTokens) {
          const answer = await ask(name, route, people.ids, { token: people.owner, pathToken });
          const code =
            answer.status < 400 ? undefined : (JSON.parse(answer.text) as { code: string }).code;
          expect([name, code, answer.status < 400 ? 200 : answer.status]).toEqual([
            name,
            refusal,
            refusal ? ERRORS[refusal].status : 200,
          ]);
        }
      }
    },
  );

  it("tell a view whether it may save files: with a plan, not on trial", async () => {
    const mayExport = async () => {
      const answer = await server.call("GET", `/visualization/${links.share}/manifest`);
      return answer.json.may_export as boolean;
    };
    await become("plan");
    expect(await mayExport()).toBe(true);
    await become("trial");
    expect(await mayExport()).toBe(false);
  });

  it("are in every answer that is not JSON, and nothing public hands them out", () => {
    const files = ROUTES.filter(([, { answers }]) => answers[200] === null);
    const others = files.filter(([, route]) => resultUse(route) === "none");
    // What is stored about a person, and what they uploaded; no results.
    expect(others.map(([name]) => name)).toEqual(["exportAccount", "ownFile"]);
    expect(using.filter(([, { access }]) => access === "public")).toEqual([]);
    expect(Object.keys(RESULT_ACCESS).toSorted()).toEqual(ROUTES.map(([name]) => name).toSorted());
  });
});
