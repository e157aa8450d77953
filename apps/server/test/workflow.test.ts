import { ERRORS } from "@stipple/contract";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { deleteAccountOf } from "../src/accounts/account-deletion.ts";
import { markSampleDataset } from "../src/billing/analyzed-content.ts";
import { ApiError } from "../src/http/api-error.ts";
import { startWaiting } from "../src/runs/waiting-runs.ts";
import { finish } from "./finished.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { fillUnread, unreadReference } from "./unread-files.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  await server.context.database.db.deleteFrom("workers").execute();
  await server.context.database.db.deleteFrom("runs").execute();
});

/** A project with the files a run needs. No worker runs in this test, so nothing reads them. */
async function readyProject(token: string): Promise<string> {
  const project = await server.newProject(token);
  await fillUnread(server, project);
  return project;
}
const run = (token: string, project: string, start_step: unknown = 0) =>
  server.call("POST", "/run_workflow", { token, body: { project_id: project, start_step } });
const status = async (token: string, project: string) =>
  (await server.call("GET", `/status?project_id=${project}`, { token })).json;
const queue = async (token: string) =>
  (await server.call("GET", "/workflow-queue-status", { token })).json;
const oneFreeWorker = () => server.context.workers.join("test");

describe("projects that wait", () => {
  const ask = (token: string, project_id: string) =>
    server.call("POST", "/queue_workflow", { token, body: { project_id } });

  it("run one after the other, without those that were taken out or are refused", async () => {
    const { context } = server;
    const token = await server.signUp();
    const projects: string[] = [];
    for (let i = 0; i < 4; i++) projects.push(await readyProject(token));
    const [first, second, third, fourth] = projects as [string, string, string, string];
    expect((await ask(token, await server.newProject(token))).json.code).toBe("inputs_missing");
    expect((await ask(token, first)).json).toEqual({ waits: false });
    expect((await ask(token, second)).json).toEqual({ waits: true });
    expect((await ask(token, third)).json).toEqual({ waits: true });
    expect((await ask(token, fourth)).json).toEqual({ waits: true });
    const body = { name: "Study", project_ids: projects };
    const { id } = (await server.call("POST", "/studies", { token, body })).json;
    const samples = async () =>
      (await server.call("GET", `/studies/${id}`, { token })).json.samples.map(
        ({ status, waits, refusal }: { status: string; waits: boolean; refusal: string | null }) =>
          refusal ?? (waits ? "waits" : status),
      );
    expect(await samples()).toEqual(["pending", "waits", "waits", "waits"]);
    const listed = (await server.call("GET", "/projects", { token })).json;
    expect(listed.filter((one: { waits?: true }) => one.waits)).toHaveLength(3);
    expect([(await status(token, second)).waits, (await status(token, first)).waits]).toEqual([
      ...[true, undefined],
    ]);
    const cancel = (project_id: string) =>
      server.call("POST", "/cancel_workflow", { token, body: { project_id } });
    await cancel(third);
    await startWaiting(context);
    expect(await samples()).toEqual(["pending", "waits", "created", "waits"]);
    await cancel(first);
    await startWaiting(context);
    expect(await samples()).toEqual(["cancelled", "pending", "created", "waits"]);
    await context.database.db
      .updateTable("runs")
      .set({ status: "completed", finished_at: new Date() })
      .where("project_id", "=", second)
      .execute();
    // A trial has one analysis.
    await startWaiting(context);
    expect(await samples()).toEqual([
      ...["cancelled", "completed", "created"],
      ERRORS.quota_used_up.error,
    ]);
  });
});

it("projects that another tab lets wait do not keep an account from being deleted", async () => {
  const { context } = server;
  const token = await server.signUp();
  const projects = [await readyProject(token), await readyProject(token)];
  const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
  const leave = async (): Promise<void> => {
    for (const project_id of projects) {
      await server.call("POST", "/queue_workflow", { token, body: { project_id } });
    }
  };
  const cancel = async (project: string): Promise<void> => {
    await context.runs.cancel(project);
    await startWaiting(context);
  };
  const billing = { ...context.billing, leave };
  await deleteAccountOf({ ...context, billing, runs: { cancel } }, id);
  expect((await server.call("GET", "/projects", { token })).status).toBe(401);
});

it("a project that is deleted while its turn comes is no failure of ours", async () => {
  const { context } = server;
  const token = await server.signUp();
  const project = await readyProject(token);
  const failed = vi.spyOn(context.logger, "error");
  const row = { project_id: project, asked_at: context.clock.now(), refusal: null };
  const { id: user_id } = (await server.call("GET", "/verify-subscription", { token })).json;
  await context.database.db
    .insertInto("waiting_runs")
    .values({ ...row, user_id })
    .execute();
  const start: typeof context.runs.start = async (owned, order) => {
    await context.projects.remove(user_id, project);
    return context.runs.start(owned, order);
  };
  expect((await startWaiting({ ...context, runs: { start } })).size).toBe(0);
  expect(failed).not.toHaveBeenCalled();
  failed.mockRestore();
});

describe("a project that is asked for twice", () => {
  const post = async (token: string, path: string, project_id: string) =>
    (await server.call("POST", path, { token, body: { project_id } })).json;

  it("runs once", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    for (let click = 0; click < 2; click++) {
      expect(await post(token, "/queue_workflow", project)).toEqual({ waits: false });
    }
    await post(token, "/cancel_workflow", project);
    await startWaiting(server.context);
    expect(await status(token, project)).toMatchObject({ status: "cancelled" });
  });

  it("waits on if it is asked for again while an earlier request of it is refused", async () => {
    const { context } = server;
    const token = await server.signUp();
    const [first, second] = [await readyProject(token), await readyProject(token)];
    await post(token, "/queue_workflow", first);
    await post(token, "/queue_workflow", second);
    await post(token, "/cancel_workflow", first);
    const start = async () => {
      server.clock.advance(1_000);
      expect((await run(token, first)).status).toBe(202);
      expect(await post(token, "/queue_workflow", second)).toEqual({ waits: true });
      throw new ApiError("inputs_unusable");
    };
    expect((await startWaiting({ ...context, runs: { start } })).size).toBe(0);
    expect(await status(token, second)).toMatchObject({ status: "created", waits: true });
  });

  it("stops when it is canceled, even if it was started while it waited", async () => {
    const token = await server.signUp();
    const [first, second] = [await readyProject(token), await readyProject(token)];
    await post(token, "/queue_workflow", first);
    expect(await post(token, "/queue_workflow", second)).toEqual({ waits: true });
    await post(token, "/cancel_workflow", first);
    expect((await run(token, second)).status).toBe(202);
    await post(token, "/cancel_workflow", second);
    expect(await status(token, second)).toMatchObject({ status: "cancelled" });
    expect((await queue(token)).has_workflow).toBe(false);
  });
});

describe("a project that is taken out while its run is being started", () => {
  /** Whether somebody waits for the lock under which runs are admitted. */
  const isWaiting = async () =>
    (
      await sql`select 1 from pg_locks where locktype = 'advisory' and not granted`.execute(
        server.context.database.db,
      )
    ).rows.length > 0;

  it("does not run", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const body = { project_id: project };
    const [asked, canceled] = await server.context.database.transaction(async (transaction) => {
      await sql`select pg_advisory_xact_lock(7203115)`.execute(transaction);
      const asking = server.call("POST", "/queue_workflow", { token, body });
      await expect.poll(isWaiting).toBe(true);
      return [asking, await server.call("POST", "/cancel_workflow", { token, body })] as const;
    });
    expect(canceled.json.message).toMatch(/is being stopped/);
    expect((await asked).status).toBe(202);
    expect((await queue(token)).has_workflow).toBe(false);
    expect(await status(token, project)).toMatchObject({ status: "created" });
  });
});

describe("starting a workflow", () => {
  it("names every missing file", async () => {
    const token = await server.signUp();
    const project = await server.newProject(token);
    const answer = await run(token, project);
    expect([answer.status, answer.json.code]).toEqual([400, "inputs_missing"]);
    for (const name of [
      "barcodes.tsv.gz",
      "matrix.mtx.gz",
      "tissue_positions",
      "histology image",
    ]) {
      expect(answer.json.error).toContain(name);
    }
  });

  it.each([-1, 8, 1.5, "three", null])("refuses start_step %j", async (step) => {
    const token = await server.signUp();
    const answer = await run(token, await readyProject(token), step);
    expect([answer.status, answer.json.code]).toEqual([400, "start_step_invalid"]);
  });

  it("accepts settings and parameters, which the project keeps, and refuses unknown ones", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const start = (body: object) =>
      server.call("POST", "/run_workflow", { token, body: { project_id: project, ...body } });
    const choices = async () =>
      (await server.call("GET", `/workflow_choices?project_id=${project}`, { token })).json;
    for (const [body, says] of [
      [{ parameters: { clustering: {} } }, /^Unknown step clustering: the steps are /],
      [
        { parameters: { "cluster-analysis": { res: 1 } } },
        /^Cluster Analysis has no parameter res/,
      ],
      [{ settings: { tissue: "moon" } }, /^Unknown tissue: use one of /],
      [{ settings: { species: "cat" } }, /^The setting species must be human or mouse\.$/],
      [
        { settings: { referenceLabels: "a\0" } },
        /^The setting referenceLabels has a null character/,
      ],
      [{ settings: { channelNames: "\ud800" } }, /^The setting channelNames has .* half of a char/],
      [{ settings: { color: "red" } }, /^There is no setting color: the settings are /],
    ] as const) {
      const refused = await start(body);
      expect([refused.status, refused.json.error]).toEqual([400, expect.stringMatching(says)]);
    }
    expect((await choices()).chosen).toEqual({ settings: {}, parameters: {} });

    const parameters = { "cluster-analysis": { resolution: 0.5 } };
    expect((await start({ parameters })).status).toBe(202);
    await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
    expect((await start({ settings: { species: "mouse" } })).status).toBe(202);
    const { chosen, steps } = await choices();
    expect(chosen).toEqual({ settings: { species: "mouse" }, parameters });
    const clustering = steps.find(({ id }: { id: string }) => id === "cluster-analysis");
    expect(clustering.parameters.properties.resolution).toMatchObject({ default: 1 });
  });

  it("answers 200 when a worker is free and 202 with a queue position when all are busy", async () => {
    await oneFreeWorker();
    const [first, second, third] = [
      await server.signUp(),
      await server.signUp(),
      await server.signUp(),
    ];
    const large = await readyProject(first);
    const started = await run(first, large);
    expect([started.status, started.json.status]).toEqual([200, "running"]);
    expect(await queue(first)).toMatchObject({
      has_workflow: true,
      status: "running",
      position: null,
    });

    const project = await readyProject(second);
    const queued = await run(second, project);
    expect(queued.status).toBe(202);
    expect(queued.json).toMatchObject({ status: "pending", position: 1 });
    expect(queued.json.estimated_wait).toBeGreaterThan(0);
    const last = await readyProject(third);
    expect((await run(third, last)).json.position).toBe(2);
    // The wait is for what the runs ahead are expected to take yet: half of 80 minutes, and 16 more.
    const takes = (minutes: number, project_id: string, started_at: Date | null) =>
      server.context.database.db
        .updateTable("runs")
        .set({ started_at })
        .set({
          estimate: sql`estimate || ${JSON.stringify({
            seconds: minutes * 60,
            steps: { plain: [], expected: Array(8).fill((minutes * 60) / 8) },
          })}::jsonb`,
        })
        .where("project_id", "=", project_id)
        .execute();
    await takes(80, large, new Date(Date.now() - 40 * 60_000));
    await takes(16, project, null);
    await takes(20, last, null);
    expect((await queue(second)).estimated_wait).toBe(40);
    expect((await queue(third)).estimated_wait).toBe(56);
    // A small run waits only for small ones.
    await takes(4, last, null);
    expect((await queue(third)).estimated_wait).toBe(1);
    await takes(3, project, null);
    expect((await queue(third)).estimated_wait).toBe(3);
    expect(await queue(second)).toMatchObject({
      has_workflow: true,
      project_id: project,
      project_name: "Mouse brain",
      status: "pending",
      position: 1,
    });
    expect((await status(second, project)).status).toBe("pending");
  });

  it("accepts one of fifty simultaneous calls; the others already have a workflow", async () => {
    const token = await server.signUp();
    const projects = [await readyProject(token), await readyProject(token)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => run(token, projects[i % 2] ?? "")),
    );
    const refused = answers.filter(({ status }) => status === 403);
    expect(answers.map(({ status }) => status).filter((code) => code < 300)).toHaveLength(1);
    expect(refused).toHaveLength(49);
    for (const { json } of refused) expect(json.error).toContain("already have");
  });

  it("counts one analysis per project, and refuses a second project on trial", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const usage = async () =>
      (await server.call("GET", "/verify-subscription", { token })).json.analyses_count;
    await run(token, project);
    expect(await usage()).toBe(1);
    await server.context.database.db.updateTable("runs").set({ status: "completed" }).execute();
    expect((await run(token, project, 3)).status).toBe(202);
    expect(await usage()).toBe(1);
    await server.context.database.db.updateTable("runs").set({ status: "completed" }).execute();
    const second = await run(token, await readyProject(token));
    expect([second.status, second.json.code]).toEqual([403, "quota_used_up"]);
    expect(second.json.error).not.toContain("already have");
    expect(second.json.error).toContain("/pricing");
  });

  describe("counting by the sample", () => {
    const usage = async (token: string) =>
      (await server.call("GET", "/verify-subscription", { token })).json.analyses_count;
    /** Starts a run and ends it as a worker would. */
    async function runToEnd(token: string, project: string) {
      const { status: code, json } = await run(token, project);
      const { database, entitlements } = server.context;
      await database.db.updateTable("runs").set({ status: "completed" }).execute();
      if (code === 202) {
        await database.transaction((transaction) =>
          entitlements.completeAnalysis(transaction, project, 100),
        );
      }
      return code === 202 ? "accepted" : json.code;
    }

    it("does not count the sample dataset, however often it runs", async () => {
      const token = await server.signUp();
      const sample = await readyProject(token);
      await markSampleDataset(server.context.database.db, sample);
      for (let at = 0; at < 2; at++) expect(await runToEnd(token, sample)).toBe("accepted");
      expect(await usage(token)).toBe(0);
      const account = (await server.call("GET", "/verify-subscription", { token })).json;
      expect(account.total_spots).toBe(100);

      // The sample dataset is recognized by its files, not its name: with a changed file it is an ordinary project.
      await fillUnread(server, sample, { he_image: "another image" });
      expect(await runToEnd(token, sample)).toBe("accepted");
      expect(await usage(token)).toBe(1);
      expect(await runToEnd(token, await readyProject(token))).toBe("quota_used_up");
      await fillUnread(server, sample);
      expect(await runToEnd(token, sample)).toBe("accepted");
      expect(await usage(token)).toBe(1);
    });

    it("charges for different counts in a project with results, but not for other changes", async () => {
      const token = await server.signUp();
      const project = await readyProject(token);
      await run(token, project);
      await server.context.database.db.updateTable("runs").set({ status: "failed" }).execute();
      // Without results, a wrong file may be replaced.
      await fillUnread(server, project, { counts: "the right counts" });
      expect(await runToEnd(token, project)).toBe("accepted");
      await fillUnread(server, project, { counts: "the right counts", he_image: "a better image" });
      expect(await runToEnd(token, project)).toBe("accepted");
      expect(await usage(token)).toBe(1);
      await fillUnread(server, project, { counts: "another sample" });
      expect(await runToEnd(token, project)).toBe("quota_used_up");
      await fillUnread(server, project, { counts: "the right counts" });
      expect(await runToEnd(token, project)).toBe("accepted");
      expect(await usage(token)).toBe(1);
    });
  });

  it("is refused after the trial's four days", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    server.clock.advance(4 * 86_400_000);
    try {
      expect((await run(token, project)).json.code).toBe("subscription_expired");
    } finally {
      server.clock.advance(-4 * 86_400_000);
    }
  });
});

describe("the plan of a change", () => {
  const plan = (token: string, project: string, change: object = {}) =>
    server.call("POST", "/workflow_plan", { token, body: { project_id: project, ...change } });
  const numbers = ({ json }: { json: { steps: { number: number }[] } }) =>
    json.steps.map(({ number }) => number);

  it("estimates the extra time of a run from the last one's duration", async () => {
    const { db } = server.context.database;
    await oneFreeWorker();
    const before = await server.signUp();
    const finished = await readyProject(before);
    await run(before, finished);
    await finish(server, finished);
    await db.updateTable("runs").set({ status: "completed", finished_at: new Date() }).execute();

    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    expect((await status(token, project)).seconds_left).toBeNull();
    const { estimate } = (await server.context.runs.latest(project))!;
    const { plain, expected } = estimate!.steps!;
    // In the last run, each step took up to seven minutes.
    expect(expected[7] / plain[7]).toBeGreaterThan(5);
    const begun = (seconds: number) =>
      new Date(server.context.clock.now().getTime() - 1000 * seconds);
    const sum = (to: number) => expected.slice(0, to).reduce((a, b) => a + b, 0);
    await db
      .updateTable("runs")
      .set({
        step: 7,
        step_fraction: 0.5,
        step_started_at: begun(0.5 * expected[7]),
        started_at: begun(sum(7) + 0.5 * expected[7]),
      })
      .where("project_id", "=", project)
      .execute();
    const left = (await status(token, project)).seconds_left;
    expect(Math.abs(left / (0.5 * expected[7]) - 1)).toBeLessThan(0.3);
  });

  it("names the steps to be rerun, their durations, and that nothing is charged", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const first = await plan(token, project);
    expect(numbers(first)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(first.json).toMatchObject({
      is_measured: false,
      counts_analysis: true,
      refusal: null,
    });
    // Empty files get only the fixed cost of any sample.
    expect(first.json.seconds).toBeGreaterThan(10);
    expect(first.json.seconds).toBeLessThan(100);

    await run(token, project);
    await server.context.database.db.updateTable("runs").set({ status: "completed" }).execute();
    await finish(server, project);
    const same = await plan(token, project);
    expect(same.json).toMatchObject({ steps: [], seconds: 0, counts_analysis: false });
    const tissue = await plan(token, project, { settings: { tissue: "brain" } });
    expect(numbers(tissue)).toEqual([4, 5, 6, 7]);
    expect(tissue.json).toMatchObject({ seconds: 22 * 60, is_measured: true });
    expect(numbers(await plan(token, project, { settings: { segmentation: "network" } }))).toEqual([
      2, 3, 4, 5, 6, 7,
    ]);
    expect(numbers(await plan(token, project, { start_step: 6 }))).toEqual([6, 7]);
    const figures = { parameters: { "projection-analysis": { geneFigures: 9 } } };
    expect(numbers(await plan(token, project, figures))).toEqual([6, 7]);
    const advanced = await plan(token, project, { analysis_type: "advanced" });
    expect(numbers(advanced)).toEqual([6, 7]);
    expect(advanced.json.is_measured).toBe(false);
    expect(advanced.json.seconds).toBeGreaterThan(22 * 60);
    // A reference is an additional input to steps 4 and 5 and to the steps that depend on them.
    await server.context.uploads.fill(project, await unreadReference(server));
    expect(numbers(await plan(token, project))).toEqual([4, 5, 6, 7]);
    await fillUnread(server, project, { counts: "another sample" });
    expect((await plan(token, project)).json).toMatchObject({
      counts_analysis: true,
      refusal: ERRORS.quota_used_up.error,
    });
    // Requesting a plan changes nothing.
    const kept = await server.call("GET", `/workflow_choices?project_id=${project}`, { token });
    expect(kept.json).toMatchObject({
      chosen: { settings: {}, parameters: {} },
      analysis_type: "basic",
    });
  });

  it("leaves out stored choices of earlier versions that no longer exist", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const stored = {
      settings: { segmentation: "classical", seed: 5 },
      parameters: { "morphological-analysis": { nuclei: { method: "classical" } } },
    };
    await server.context.database.db
      .updateTable("projects")
      .set({ choices: JSON.stringify(stored) })
      .where("id", "=", project)
      .execute();
    expect(numbers(await plan(token, project))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await run(token, project);
    const kept = await server.call("GET", `/workflow_choices?project_id=${project}`, { token });
    expect(kept.json).toMatchObject({ chosen: { settings: { seed: 5 } } });
    expect(JSON.stringify(kept.json)).not.toContain('"classical"');
  });

  it("is carried out: a run with the change keeps it, and refuses unknown ones", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const change = { analysis_type: "advanced", settings: { tissue: "brain" } };
    const answer = await server.call("POST", "/run_workflow", {
      token,
      body: { project_id: project, start_step: 7, ...change },
    });
    expect(answer.status).toBe(202);
    const kept = await server.call("GET", `/workflow_choices?project_id=${project}`, { token });
    expect(kept.json).toMatchObject({
      analysis_type: "advanced",
      chosen: { settings: { tissue: "brain" } },
    });
    const wrong = await plan(token, project, { settings: { organ: "brain" } });
    expect([wrong.status, wrong.json.error]).toEqual([
      400,
      expect.stringMatching(/^There is no setting organ/),
    ]);
    const missing = await plan(token, await server.newProject(token));
    expect(missing.json.code).toBe("inputs_missing");
  });

  it("is known when the run is accepted: its progress does not begin with steps it will repeat", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await finish(server, project);
    const change = { start_step: 7, settings: { tissue: "brain" } };
    await server.call("POST", "/run_workflow", { token, body: { project_id: project, ...change } });
    const queued = await status(token, project);
    expect(queued.output_files.step_3).not.toEqual([]);
    expect(queued.output_files.step_4).toEqual([]);
  });

  it("is not carried out with Space Ranger's outlines that are not there, and results stay", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await finish(server, project);
    const sentence =
      "Space Ranger's outlines were chosen, but cell_segmentations.geojson is missing: upload it, or choose another segmentation.";
    const change = { settings: { segmentation: "space_ranger" } };
    const planned = await plan(token, project, change);
    expect(numbers(planned)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(planned.json.files_fault).toBe(sentence);
    const body = { project_id: project, start_step: 2, ...change };
    const refused = await server.call("POST", "/run_workflow", { token, body });
    expect(refused.json).toMatchObject({ code: "inputs_unusable", error: sentence });
    expect((await status(token, project)).output_files.step_7).not.toEqual([]);
  });

  it("starts from the project's initial options", async () => {
    const token = await server.signUp();
    const body = {
      project_name: "Brain",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    };
    const create = (settings: object) =>
      server.call("POST", "/create_project", { token, body: { ...body, settings } });
    expect((await create({ organ: "brain" })).status).toBe(400);
    const { project_id: project } = (await create({ species: "mouse", tissue: "brain" })).json;
    const kept = await server.call("GET", `/workflow_choices?project_id=${project}`, { token });
    expect(kept.json.chosen.settings).toEqual({ species: "mouse", tissue: "brain" });
  });
});

describe("a queued workflow", () => {
  it("keeps its project from being deleted and its files from being replaced", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    const removed = await server.call("DELETE", `/projects/${project}`, { token });
    expect([removed.status, removed.json.code]).toEqual([409, "project_busy"]);
    const upload = await server.sendChunk(token, project, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from("{}"),
    });
    expect(upload.json.code).toBe("project_busy");
  });

  it("has the files with which it was accepted, whatever is removed meanwhile", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    const [accepted, removed] = await Promise.all([
      run(token, project),
      server.call("DELETE", `/upload/he_image?project_id=${project}`, { token }),
    ]);
    const { input_files: files } = await status(token, project);
    if (accepted.status === 202) {
      expect([removed.json.code, "he_image" in files]).toEqual(["project_busy", true]);
    } else {
      expect([accepted.json.code, "he_image" in files]).toEqual(["inputs_missing", false]);
    }
  });

  it("hides outputs it is going to replace, and restores everything when canceled", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await finish(server, project);
    await run(token, project, 3);
    const queued = (await status(token, project)).output_files;
    expect([queued.step_0, queued.step_7]).toEqual([["step0_output/a.txt"], []]);

    await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
    expect(await queue(token)).toMatchObject({ has_workflow: false, status: null });
    const after = await status(token, project);
    expect(after.output_files.step_7).toEqual(["step7_output/a.txt"]);
    const { json } = await server.call("GET", "/verify-subscription", { token });
    expect(json.analyses_count).toBe(0);
    expect((await run(token, project)).status).toBe(202);
  });

  it("is its project's last one, even after the clock was set back", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    await server.context.database.db.updateTable("runs").set({ status: "completed" }).execute();
    server.clock.advance(-3_600_000);
    await run(token, project);
    server.clock.advance(3_600_000);
    expect((await status(token, project)).status).toBe("pending");
  });

  it("that is canceled leaves what is said about the run before it", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    const error = "Barcodes are missing.";
    await server.context.database.db
      .updateTable("runs")
      .set({ status: "failed", prepared: true, error, log: '["Reading"]', percent: 5 })
      .where("project_id", "=", project)
      .execute();
    const failed = await status(token, project);
    expect(failed).toMatchObject({ status: "failed", error, log: ["Reading"], percent: 5 });
    await run(token, project);
    await server.call("POST", "/cancel_workflow", { token, body: { project_id: project } });
    expect(await status(token, project)).toEqual(failed);
  });
});

describe("page polling", () => {
  it("takes one query each", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    for (const path of [
      `/status?project_id=${project}`,
      "/verify-subscription",
      "/workflow-queue-status",
      "/projects",
    ]) {
      const query = vi.spyOn(pg.Query.prototype, "submit");
      const answer = await server.call("GET", path, { token });
      expect([path, answer.status, query.mock.calls.length]).toEqual([path, 200, 1]);
      query.mockRestore();
    }
  });

  it("is answered with 304 as long as nothing has changed, to anyone with access", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    const ask = (path: string, tag: string, as = token) =>
      server.call("GET", path, { token: as, headers: { "if-none-match": tag } });
    for (const path of [`/status?project_id=${project}`, "/workflow-queue-status"]) {
      const first = await server.call("GET", path, { token });
      const tag = first.headers.get("etag") ?? "";
      const again = await ask(path, tag);
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers.get("cache-control")).toBe("no-store");
      expect((await ask(path, `W/${tag}`)).status).toBe(304);
      await server.context.database.db
        .updateTable("runs")
        .set({ status: "running", started_at: new Date(), log: '["Taken up"]' })
        .where("project_id", "=", project)
        .execute();
      const changed = await ask(path, tag);
      expect(changed.status).toBe(200);
      expect(JSON.stringify(changed.json)).toMatch(/running|Taken up/);
      await server.context.database.db
        .updateTable("runs")
        .set({ status: "pending", started_at: null, log: "[]" })
        .where("project_id", "=", project)
        .execute();
    }
    const tag = (await server.call("GET", `/status?project_id=${project}`, { token })).headers.get(
      "etag",
    )!;
    const stranger = await server.signUp();
    expect((await ask(`/status?project_id=${project}`, tag, stranger)).status).toBe(404);
    await server.call("POST", "/logout", { token });
    expect((await ask(`/status?project_id=${project}`, tag)).status).toBe(401);
  });

  it("returns a running step's status anew each time, because its elapsed seconds keep growing", async () => {
    const token = await server.signUp();
    const project = await readyProject(token);
    await run(token, project);
    await server.context.database.db
      .updateTable("runs")
      .set({ status: "running", step: 0, step_started_at: server.clock.now() })
      .where("project_id", "=", project)
      .execute();
    const first = await server.call("GET", `/status?project_id=${project}`, { token });
    expect([first.status, first.headers.get("etag")]).toEqual([200, null]);
    expect(first.json).toMatchObject({ status: "processing", current_step: 0 });
  });
});
