import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { finishRun } from "../src/runs/results/finish-run.ts";
import { mailRunEnded } from "../src/runs/results/run-mail.ts";
import { EXAMPLE_OWNER } from "../src/projects/example-owner.ts";
import { addFiles } from "./published.ts";
import type { TestServer } from "./server.ts";
import { POOR_VERDICT } from "./poor-verdict.ts";
import { startServerWithSandbox, type ServerWithSandbox } from "./server-with-sandbox.ts";
import { fillUnread } from "./unread-files.ts";
import { TestWorker } from "./worker.ts";

const MINUTE_MS = 60_000;
const done = { kind: "done", steps: [] } as const;
let both: ServerWithSandbox;
let server: TestServer;

beforeAll(async () => {
  both = await startServerWithSandbox();
  ({ server } = both);
});
afterAll(() => both?.[Symbol.asyncDispose]());

/** Emails to someone, from the outbox page, except the welcome email. */
async function mailsTo(email: string): Promise<string[]> {
  const page = await both.sandbox.outbox();
  return page
    .split("<article")
    .filter((part) => part.includes(`To ${email},`) && !part.includes("/verify-email#"));
}

/** A project whose run ended this many minutes after it started. */
async function ended(
  email: string,
  status: "completed" | "failed" | "cancelled",
  minutes: number,
): Promise<{ run: string; project: string }> {
  const token = await server.signUp(email);
  const project = await server.newProject(token, "Kidney & cortex");
  // Names were not always limited to one line.
  await server.context.database.db
    .updateTable("projects")
    .set({ name: "Kidney &\n cortex" })
    .where("id", "=", project)
    .execute();
  const { id: user } = (await server.call("GET", "/verify-subscription", { token })).json;
  const run = randomUUID();
  const now = Date.now();
  await server.context.database.db
    .insertInto("runs")
    .values({
      id: run,
      project_id: project,
      user_id: user,
      status,
      start_step: 0,
      log: "[]",
      error: status === "failed" ? "The image cannot be read." : null,
      created_at: new Date(now - minutes * MINUTE_MS),
      started_at: new Date(now - MINUTE_MS),
      finished_at: new Date(now),
    })
    .execute();
  return { run, project };
}

describe("the mail at a run's end", () => {
  it("names the project and links to its results", async () => {
    const { run, project } = await ended("done@example.org", "completed", 5);
    await mailRunEnded(server.context, run);
    const mails = await mailsTo("done@example.org");
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("the results of Kidney &amp; cortex are ready");
    const link = `${server.config.publicUrl}/analysis/step4?project_id=${project}`;
    expect(mails[0]).toContain(`href="${link}"`);
  });

  it("leads to the plans where the trial ended during the run, so that the results are closed", async () => {
    const { run } = await ended("late@example.org", "completed", 5);
    await server.context.database.db
      .updateTable("users")
      .set({ created_at: new Date(Date.now() - 5 * 24 * 60 * MINUTE_MS) })
      .where("email", "=", "late@example.org")
      .execute();
    await mailRunEnded(server.context, run);
    const [mail] = await mailsTo("late@example.org");
    expect(mail).toContain("is complete, but your trial has ended.");
    expect(mail).toContain(`href="${server.config.publicUrl}/pricing"`);
    expect(mail).not.toContain("/analysis/step4");
  });

  it("states the quality of the results", async () => {
    const { run, project } = await ended("worth@example.org", "completed", 5);
    await addFiles(server, project, {
      "step7_output/done.txt": "done",
      "analysis_results/output/statistics.json": JSON.stringify({
        total_spots: 49,
        total_cells: 1000,
        total_genes: 7,
        average_cells_per_spot: 8.4,
        verdict: POOR_VERDICT,
      }),
    });
    await mailRunEnded(server.context, run);
    const mail = (await mailsTo("worth@example.org"))[0]?.replaceAll("&#39;", "'");
    expect(mail).toContain(`How much you can trust single cells: Poor. ${POOR_VERDICT.sentence}`);
    expect(mail).toContain(`- ${POOR_VERDICT.reasons[0].sentence}`);
    expect(mail).toContain(`Next: ${POOR_VERDICT.next}`);
  });

  it("reports a failure with its reason, and links to the steps", async () => {
    // However short it was.
    const { run, project } = await ended("failed@example.org", "failed", 1);
    await mailRunEnded(server.context, run);
    const [mail] = await mailsTo("failed@example.org");
    expect(mail).toContain("The image cannot be read.");
    expect(mail).toContain(`/analysis/step3?project_id=${project}`);
  });

  it("is not sent for short or canceled runs, or if disabled", async () => {
    const short = await ended("short@example.org", "completed", 2);
    const cancelled = await ended("stopped@example.org", "cancelled", 9);
    const long = await ended("none@example.org", "completed", 9);
    const { config } = server.context;
    const quiet: Context = {
      ...server.context,
      config: { ...config, mail: { ...config.mail, ofRuns: false } },
    };
    await mailRunEnded(server.context, short.run);
    await mailRunEnded(server.context, cancelled.run);
    await mailRunEnded(quiet, long.run);
    for (const name of ["short", "stopped", "none"])
      expect(await mailsTo(`${name}@example.org`)).toEqual([]);
  });

  it("is skipped when no mail server responds", async () => {
    const { run } = await ended("unreachable@example.org", "completed", 9);
    const mailer = {
      canSend: true,
      outboxUrl: null,
      send: () => Promise.reject(new Error("no route to the mail server")),
      forget: () => Promise.resolve(),
    };
    await finishRun({ ...server.context, mailer }, { runId: run, token: "" }, done);
    await expect(server.context.background.settled()).resolves.toBeUndefined();
  });

  it("is waited for by a worker that stops", async () => {
    const { run } = await ended("leaving@example.org", "completed", 5);
    await finishRun(server.context, { runId: run, token: "" }, done);
    await server.context.background.settled();
    expect(await mailsTo("leaving@example.org")).toHaveLength(1);
  });

  it("is sent once, by the worker that executed the run", async () => {
    const token = await server.signUp("owner@example.org");
    const project = await server.newProject(token);
    // The run fails immediately.
    await fillUnread(server, project);
    const body = { project_id: project, start_step: 0 };
    expect((await server.call("POST", "/run_workflow", { token, body })).status).toBe(202);
    await server.context.database.db
      .updateTable("runs")
      .set({ created_at: new Date(Date.now() - 10 * MINUTE_MS) })
      .where("project_id", "=", project)
      .execute();
    await using worker = new TestWorker(server);
    await expect.poll(async () => (await mailsTo("owner@example.org")).length).toBe(1);
    const { json } = await server.call("GET", `/status?project_id=${project}`, { token });
    expect(json.status).toBe("failed");
    expect(worker.output).not.toContain("was not emailed");
    const [mail] = await mailsTo("owner@example.org");
    expect(mail).toContain(`step3?project_id=${project}`);
    expect(mail?.replaceAll("&#39;", "'")).toContain(
      "It counts as one of your analyses; running this project again won't use another.",
    );
  });

  it("is not sent about the live example, which belongs to nobody", async () => {
    const email = "example@example.org";
    const { run } = await ended("elsewhere@example.org", "failed", 5);
    const { db } = server.context.database;
    await db
      .insertInto("users")
      .values({ id: EXAMPLE_OWNER, email, password_hash: "none", created_at: new Date() })
      .execute();
    await mailRunEnded(server.context, run);
    expect(await mailsTo("elsewhere@example.org")).toHaveLength(1);
    await db.updateTable("runs").set({ user_id: EXAMPLE_OWNER }).where("id", "=", run).execute();
    await mailRunEnded(server.context, run);
    expect(await mailsTo(email)).toEqual([]);
  });
});
