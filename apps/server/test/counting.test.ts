import { givePlan } from "./give-plan.ts";
import { STEP_NUMBERS, type StepNumber } from "@stipple/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishRun } from "../src/runs/results/finish-run.ts";
import { noteStep, takeOverResults } from "../src/runs/results/run-results.ts";
import { publishStep } from "../src/outputs/publish.ts";
import type { Hold } from "../src/runs/worker/holds.ts";
import { holdRun } from "./hold-run.ts";
import { asStep } from "./published.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { fillUnread } from "./unread-files.ts";

/**
 * What runs cost, whatever becomes of them: real routes, database, and storage. Only the steps themselves are not
 * carried out; their outputs are published through the worker's own transactions.
 */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const FIRST_RESULT = 4;
const LAST = STEP_NUMBERS.at(-1)!;
const ZIP = "download_output";

/** One subscriber with one project, and a worker for its runs. */
class Subscriber {
  readonly token: string;
  readonly project: string;
  /** Samples whose results could be seen at some time. */
  readonly viewed = new Set<string>();
  #sample = "first";
  #hold: Hold | null = null;
  #start: StepNumber = 0;
  /** The sample of the results that are there. */
  #there: string | null = null;

  private constructor(token: string, project: string) {
    this.token = token;
    this.project = project;
  }

  /** A person with another project. */
  async again(): Promise<Subscriber> {
    const one = new Subscriber(this.token, await server.newProject(this.token));
    await one.replace("first");
    return one;
  }

  static async join(tier: "enterprise" | "trial" = "enterprise"): Promise<Subscriber> {
    const token = await server.signUp();
    if (tier !== "trial") {
      const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
      await givePlan(server.context.database.db, id, {
        tier,
        period_start: new Date(Date.now() - 1000),
      });
    }
    const one = new Subscriber(token, await server.newProject(token));
    await one.replace("first");
    return one;
  }

  async count(): Promise<number> {
    const answer = await server.call("GET", "/verify-subscription", { token: this.token });
    return answer.json.analyses_count as number;
  }

  async replace(sample: string): Promise<void> {
    if (this.#hold) return;
    await fillUnread(server, this.project, { counts: sample });
    this.#sample = sample;
  }

  /** Starts a run; `reach` says how far a worker takes it: not at all, its plan, or through a step. */
  async start(step: StepNumber, reach: StepNumber | "queued" | "planned"): Promise<string> {
    const answer = await server.call("POST", "/run_workflow", {
      token: this.token,
      body: { project_id: this.project, start_step: step },
    });
    if (answer.status > 202) return answer.json.code as string;
    const { id } = (await server.context.runs.latest(this.project))!;
    this.#hold = await holdRun(server.context.database.db, id);
    // As the worker's plan does for other files.
    this.#start = this.#there === this.#sample ? step : 0;
    if (reach === "queued") return "accepted";
    const planned = STEP_NUMBERS.filter((number) => number >= this.#start);
    await takeOverResults(server.context, this.#hold, this.project, planned);
    this.#there = this.#sample;
    for (const number of planned) {
      if (reach === "planned" || number > reach) break;
      await this.#publish(number);
    }
    return "accepted";
  }

  async #publish(step: StepNumber): Promise<void> {
    const hold = this.#hold!;
    const found = step === LAST ? { total_spots: 100 } : null;
    await asStep(step, { [`figures/${step}.txt`]: this.#sample }, (written) =>
      publishStep(server.context, {
        ...written,
        projectId: this.project,
        guard: (transaction) =>
          noteStep(server.context, transaction, hold, { projectId: this.project, step, found }),
      }),
    );
    if (step >= FIRST_RESULT) this.viewed.add(this.#sample);
    if (found) this.#hold = null;
  }

  async end(how: "cancel" | "our fault" | "data's fault"): Promise<void> {
    const hold = this.#hold;
    if (how === "cancel") {
      await server.call("POST", "/cancel_workflow", {
        token: this.token,
        body: { project_id: this.project },
      });
    } else if (hold) {
      const fault = how === "our fault" ? "server" : "data";
      await finishRun(server.context, hold, {
        kind: "failed",
        fault,
        cause: "unexpected",
        message: "It failed.",
      });
    }
    this.#hold = null;
  }

  async error(): Promise<string | null> {
    const run = await server.context.runs.latest(this.project);
    return run?.error ?? null;
  }
}

describe("an analysis that has yielded results", () => {
  it("stays counted when its delivered project is started again and canceled at once", async () => {
    const person = await Subscriber.join();
    await person.start(0, LAST);
    for (let round = 0; round < 2; round++) {
      await person.start(7, "queued");
      await person.end("cancel");
      expect(await person.count()).toBe(1);
    }
    const path = `/${ZIP}?project_id=${person.project}`;
    expect((await server.call("GET", path, { token: person.token })).status).toBe(200);
  });

  it("is completed with its last step: a cancellation that comes later finds nothing to cancel", async () => {
    const person = await Subscriber.join();
    await person.start(0, LAST);
    await person.end("cancel");
    expect((await server.context.runs.latest(person.project))?.status).toBe("completed");
    expect(await person.count()).toBe(1);
  });

  it("stays counted when a rerun has removed its results, and other files count again", async () => {
    const person = await Subscriber.join();
    await person.start(0, 5);
    await person.end("cancel");
    await person.start(0, "planned");
    await person.end("cancel");
    await person.replace("second");
    await person.start(0, "planned");
    expect(await person.count()).toBe(2);
    await person.end("our fault");
    expect(await person.count()).toBe(1);
    await person.replace("first");
    await person.start(0, LAST);
    expect(await person.count()).toBe(1);
  });

  it("is not replaced by other files on trial", async () => {
    const person = await Subscriber.join("trial");
    await person.start(0, 4);
    await person.end("our fault");
    expect(await person.error()).toBe(
      "It failed. It counts as one of your analyses; running this project again won't use another.",
    );
    await person.start(0, "planned");
    await person.end("cancel");
    await person.replace("second");
    expect(await person.start(0, LAST)).toBe("quota_used_up");
    expect(await person.count()).toBe(1);
  });
});

it.each([
  ["cancel", "queued", 0],
  ["cancel", "planned", 1],
  ["cancel", 3, 1],
  ["our fault", "queued", 0],
  ["our fault", 3, 0],
  ["our fault", 4, 1],
  ["data's fault", 3, 1],
] as const)("a first run that ends by %s after %s counts %i", async (how, reach, count) => {
  const person = await Subscriber.join();
  await person.start(0, reach);
  await person.end(how);
  expect(await person.count()).toBe(count);
  if (how === "our fault" && count === 0) {
    expect(await person.error()).toBe("It failed. Your analysis was not counted.");
  }
  // A further run that is canceled at once gives back what it reserved, nothing else.
  await person.start(0, "queued");
  await person.end("cancel");
  expect(await person.count()).toBe(count);
});

it("share links end when a run replaces the sample that they show, as its plan says", async () => {
  const person = await Subscriber.join();
  const { token, project } = person;
  const call = (method: string, path: string, body?: object) =>
    server.call(method, path, { token, body });
  await person.start(0, LAST);
  const made = await call("POST", `/projects/${project}/shares`, { days: 7, note: "for Eve" });
  const link = `/visualization/${made.json.url.split("/").at(-1)}/views`;
  const opens = async () => (await server.call("GET", link)).status;
  const ends = async () =>
    (await call("POST", "/workflow_plan", { project_id: project })).json.ends_share_links;
  await person.start(0, LAST);
  expect([await opens(), await ends()]).toEqual([200, 0]);

  await person.replace("second");
  expect(await ends()).toBe(1);
  await person.start(0, "queued");
  await person.end("cancel");
  expect(await opens()).toBe(200);
  await person.start(0, "planned");
  const refused = await server.call("GET", link);
  expect([refused.status, refused.json.code]).toEqual([403, "share_link_revoked"]);
  expect((await call("GET", `/projects/${project}/shares`)).json).toEqual([]);
  const { json } = await call("GET", "/account/activity");
  expect(JSON.stringify(json)).toMatch(/"what":"share_ended"[^}]*"note":"for Eve"/);
  // The sample before may come back; its links do not.
  await person.end("cancel");
  await person.replace("first");
  await person.start(0, LAST);
  expect(await opens()).toBe(403);
});

const reaches = fc.constantFrom<(StepNumber | "queued" | "planned")[]>(
  "queued",
  "planned",
  ...STEP_NUMBERS,
);
const orders = fc.array(
  fc.record({
    sample: fc.constantFrom("first", "second", "third"),
    step: fc.constantFrom(...STEP_NUMBERS),
    reach: reaches,
    how: fc.constantFrom("cancel" as const, "our fault" as const, "data's fault" as const),
  }),
  { minLength: 2, maxLength: 5 },
);

const isLong = process.env["LONG_TESTS"] !== undefined;

it("never are more samples seen than analyses counted, whatever the order of runs and their ends", async () => {
  const first = await Subscriber.join();
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const before = await first.count();
      const person = await first.again();
      const started = new Set<string>();
      for (const { sample, step, reach, how } of order) {
        await person.replace(sample);
        started.add(sample);
        await person.start(step, reach);
        await person.end(how);
        const count = (await person.count()) - before;
        expect(count).toBeGreaterThanOrEqual(person.viewed.size);
        expect(count).toBeLessThanOrEqual(started.size);
      }
    }),
    { numRuns: isLong ? 200 : 4, seed: 36 },
  );
  // The long form takes a minute on an idle machine.
}, 600_000);
