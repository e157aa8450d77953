import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { LAST_STEP, STEPS, type StepNumber } from "@stipple/contract";
import { analysisSettings } from "@stipple/pipeline/settings";
import type { Context } from "../context.ts";
import { ANALYZE_PROJECT } from "../workflow/queue.ts";
import { resultsKey } from "../storage/project-keys.ts";
import { mailRunEnded } from "./run-mail.ts";
import { RunJournal } from "./run-journal.ts";
import { runInProcess } from "./run-in-process.ts";
import type { StepOrder, StepOutcome } from "./step-messages.ts";

/**
 * Registers the durable workflow of one run: plan, each pipeline step, verdict. Each is a checkpoint: a worker
 * that is killed and started again goes on with the one that was under way. Pipeline steps replace their output
 * at once when they succeed, so running one again is harmless.
 */
export function registerAnalyzeProject(context: Context, slot: string): void {
  const job = new AnalysisJob(context, slot);
  DBOS.registerWorkflow(
    async (runId: string): Promise<void> => {
      const plan = await DBOS.runStep(() => job.plan(runId), { name: "plan" });
      if (plan === null) return;
      let outcome = plan;
      const from = plan.kind === "done" ? plan.firstStep : LAST_STEP + 1;
      for (const { number } of STEPS) {
        if (number < from || outcome.kind !== "done") continue;
        outcome = await DBOS.runStep(() => job.step(runId, number), { name: `step ${number}` });
      }
      const verdict = outcome;
      await DBOS.runStep(() => job.finish(runId, verdict), { name: "finish" });
    },
    { name: ANALYZE_PROJECT },
  );
}

class AnalysisJob {
  readonly #context: Context;
  readonly #slot: string;

  constructor(context: Context, slot: string) {
    this.#context = context;
    this.#slot = slot;
  }

  /** Takes the run up and clears what it replaces. Null when it was cancelled or deleted while queued. */
  async plan(runId: string): Promise<StepOutcome | null> {
    const { database, clock, logger } = this.#context;
    const run = await database.db
      .updateTable("runs")
      .set((of) => ({
        status: "running",
        worker: this.#slot,
        started_at: of.fn.coalesce("started_at", of.val(clock.now())),
      }))
      .where("id", "=", runId)
      .where("status", "in", ["pending", "running"])
      .returning(["start_step", "project_id"])
      .executeTakeFirst();
    if (!run) return null;
    logger.info({ runId, startStep: run.start_step }, "run begins");
    const outcome = await this.#carryOut(runId, "plan", run.start_step as StepNumber);
    if (outcome.kind === "done") {
      await database.db
        .updateTable("runs")
        .set({ prepared: true, start_step: outcome.firstStep })
        .where("id", "=", runId)
        .execute();
    }
    return outcome;
  }

  async step(runId: string, step: StepNumber): Promise<StepOutcome> {
    return this.#carryOut(runId, "step", step);
  }

  async #carryOut(runId: string, task: StepOrder["task"], step: StepNumber): Promise<StepOutcome> {
    const { database, clock, config, logger, storage, uploads } = this.#context;
    const project = await database.db
      .selectFrom("runs")
      .innerJoin("projects", "projects.id", "runs.project_id")
      .select(["projects.id", "projects.name", "projects.options", "projects.choices"])
      .where("runs.id", "=", runId)
      .where("runs.status", "=", "running")
      .executeTakeFirst();
    if (!project) return { kind: "cancelled" };
    await database.db
      .updateTable("runs")
      .set({ worker: this.#slot })
      .where("id", "=", runId)
      .execute();
    const input = join(config.dataDir, "scratch", project.id, "input");
    await rm(input, { recursive: true, force: true });
    for (const { name, storageKey } of await uploads.inputs(project.id)) {
      await storage.fetchTo(storageKey, join(input, name));
    }
    const results = await storage.checkout(resultsKey(project.id));
    const uploaded = await uploads.complete(project.id);
    const { platform, staining, analysis_type: analysisType, resolution } = project.options;
    const cancellation = new AbortController();
    await using journal = await RunJournal.open({ db: database.db, clock }, runId, step, () =>
      cancellation.abort(),
    );
    const outcome = await runInProcess(
      {
        task,
        step,
        input,
        results: results.path,
        settings: analysisSettings.parse({
          platform,
          staining,
          analysisType,
          resolution,
          sampleName: project.name.slice(0, 200),
          ...("cells" in uploaded ? { segmentation: "space_ranger" } : {}),
          ...project.choices.settings,
        }),
        parameters: project.choices.parameters,
        threads: config.threads,
      },
      {
        memoryMb: config.stepMemoryMb,
        signal: cancellation.signal,
        listener: {
          progress: (fraction) => journal.progress(fraction),
          log: (line) => journal.log(line),
          failure: (detail) => logger.error({ runId, step, detail }, "step failed"),
        },
      },
    );
    await results.publish();
    logger.info({ runId, task, step, outcome: outcome.kind }, "step ended");
    return outcome;
  }

  /** Writes down how the run ended. */
  async finish(runId: string, outcome: StepOutcome): Promise<void> {
    const { database, clock, entitlements, storage } = this.#context;
    const run = await database.db
      .selectFrom("runs")
      .select("project_id")
      .where("id", "=", runId)
      .executeTakeFirst();
    if (!run) return;
    const { path } = await storage.checkout(resultsKey(run.project_id));
    const spots = outcome.kind === "done" ? await spotsOf(path) : 0;
    const isEnded = await database.transaction(async (transaction) => {
      const ended = await transaction
        .updateTable("runs")
        .set({
          status:
            outcome.kind === "done"
              ? "completed"
              : outcome.kind === "failed"
                ? "failed"
                : "cancelled",
          error: outcome.kind === "failed" ? outcome.message : null,
          finished_at: clock.now(),
          worker: null,
          ...(outcome.kind === "done" ? { percent: 100, step_fraction: 1 } : {}),
        })
        .where("id", "=", runId)
        .where("status", "=", "running")
        .returning("id")
        .executeTakeFirst();
      if (!ended) return false;
      if (outcome.kind === "done") {
        await entitlements.completeAnalysis(transaction, run.project_id, spots);
      }
      if (outcome.kind === "failed" && outcome.fault === "server") {
        await entitlements.returnAnalysis(transaction, run.project_id);
      }
      return true;
    });
    // The next run does not wait for a mail server.
    if (isEnded) void mailRunEnded(this.#context, runId);
  }
}

async function spotsOf(results: string): Promise<number> {
  const file = join(results, "analysis_results", "output", "statistics.json");
  const { total_spots: spots } = JSON.parse(await readFile(file, "utf8")) as {
    total_spots: number;
  };
  return spots;
}
