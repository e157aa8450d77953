import { join } from "node:path";
import type { StepNumber } from "@stipple/contract";
import { readManifest } from "@stipple/pipeline/results";
import type { Logger } from "pino";
import type { RunServices } from "../services.ts";
import { DatabaseAwayError, untilDatabaseAnswers, type Db } from "../../db/database.ts";
import { placesOfRun } from "../../operations/tracing.ts";
import { untilStorageAnswers } from "../../storage/storage-away.ts";
import { publishStep } from "../../outputs/publish.ts";
import { openWorkspaces, type Workspace, type Workspaces } from "../../outputs/workspace.ts";
import { diskRefusal, memoryRefusal, stepLimitSeconds } from "../estimate/estimate.ts";
import { HoldLostError, type Hold, type Holds } from "./holds.ts";
import { pastRuns } from "../estimate/past-runs.ts";
import { foundSize, sizeOf, INFORMATIVE_STEPS } from "../estimate/run-size.ts";
import { hasToken } from "../queue/dbos-tables.ts";
import { stepSecondsOf } from "../estimate/step-seconds.ts";
import { freeMb } from "../step/free-disk.ts";
import { runInProcess } from "../step/run-in-process.ts";
import { notStored } from "../step/step-faults.ts";
import { RunJournal } from "./run-journal.ts";
import { foundIn, isCompleted, noteStep, takeOverResults } from "../results/run-results.ts";
import { beginStepReport, type StepReport } from "./step-report.ts";
import { loggerOfRun, projectOfRun, type RunProject } from "./run-project.ts";
import type { StepOrder, StepOutcome } from "../step/step-messages.ts";
import type { TurnOfSteps } from "./turn-of-steps.ts";

/** What a run needs from its worker. */
export interface WorkerParts {
  holds: Holds;
  turn: TurnOfSteps;
}

/** The parts of one run's workflow, each done in turn in its own process. */
export class AnalysisJob {
  readonly #services: RunServices;
  readonly #holds: Holds;
  readonly #workspaces: Workspaces;
  readonly #turn: TurnOfSteps;

  constructor(services: RunServices, worker: WorkerParts) {
    this.#services = services;
    this.#holds = worker.holds;
    this.#turn = worker.turn;
    this.#workspaces = openWorkspaces(services, join(services.scratch.folder, "runs"));
  }

  /** Does `work` when no other step is in progress in this worker and no run waits that is due earlier. */
  async inTurn<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const run = await this.#services.database.db
      .selectFrom("runs")
      .select("due_at")
      .where("id", "=", runId)
      .executeTakeFirst();
    return this.#turn.take({ id: runId, dueAt: run?.due_at ?? new Date(0) }, work);
  }

  /** Starts the run and removes the outputs it replaces. Null if it was canceled or deleted while queued. */
  async plan(hold: Hold): Promise<StepOutcome | null> {
    const { database, clock, config, tracing } = this.#services;
    const { runId } = hold;
    const run = await database.db
      .updateTable("runs")
      .set((of) => ({
        status: "running",
        started_at: of.fn.coalesce("started_at", of.val(clock.now())),
      }))
      .where("id", "=", runId)
      .where("status", "in", ["pending", "running"])
      .where(hasToken(hold.token))
      .returning([
        "start_step",
        "project_id",
        "estimate",
        "request_id",
        "traceparent",
        "created_at",
      ])
      .executeTakeFirst();
    if (!run) return null;
    const logger = loggerOfRun(this.#services, runId, run);
    logger.info({ startStep: run.start_step, estimate: run.estimate }, "run started");
    const { queue } = placesOfRun({ id: runId, traceparent: run.traceparent });
    tracing.begin("queue", { ...queue, start: run.created_at }).end();
    const full = run.estimate && diskRefusal(run.estimate, await freeMb(config.dataDir));
    if (full) return { kind: "failed", fault: "server", cause: "disk_full", message: full };
    const refusal = run.estimate && memoryRefusal(run.estimate, config.stepMemoryMb);
    if (refusal) return { kind: "failed", fault: "server", cause: "memory", message: refusal };
    return this.#carryOut(
      hold,
      "plan",
      run.start_step as StepNumber,
      async ({ project, signal }, planned) => {
        await takeOverResults(this.#services, hold, run.project_id, planned);
        await this.#estimateAnew(hold, project, signal);
      },
    );
  }

  /** `isLast`: with this step the run is completed. */
  async step(hold: Hold, step: StepNumber, isLast: boolean): Promise<StepOutcome> {
    return this.#carryOut(hold, "step", step, async ({ workspace, project, signal, logger }) => {
      const manifest = readManifest(workspace.results, step);
      if (!manifest) throw new Error(`Step ${step} ended without a manifest`);
      const found = isLast ? await foundIn(workspace.results) : null;
      const started = performance.now();
      const published = await publishStep(this.#services, {
        projectId: project.id,
        manifest,
        folder: workspace.results,
        guard: (transaction: Db) =>
          noteStep(this.#services, transaction, hold, { projectId: project.id, step, found }),
        signal,
      });
      const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
      logger.info({ step, seconds, ...published }, "step published");
      if (INFORMATIVE_STEPS.includes(step)) await this.#estimateAnew(hold, project, signal);
    });
  }

  /** The run has ended: with this step, before its worker could say so, or because somebody has stopped it. */
  async #outcomeOfEnded(runId: string, step: StepNumber): Promise<StepOutcome> {
    return (await isCompleted(this.#services, runId))
      ? { kind: "done", steps: [step] }
      : { kind: "cancelled" };
  }

  /** Updates the expected duration of the steps with everything now known about the sample. */
  async #estimateAnew(
    { runId, token }: Hold,
    project: RunProject,
    signal: AbortSignal,
  ): Promise<void> {
    const { database, outputs } = this.#services;
    if (!project.estimate.steps) return;
    const found = await untilStorageAnswers(() => foundSize(outputs, project.id), signal);
    const size = { ...sizeOf(project.inputs), ...found };
    const { analysisType } = project.order.settings;
    const steps = stepSecondsOf(size, analysisType, await pastRuns(database.db));
    await database.db
      .updateTable("runs")
      .set({ estimate: JSON.stringify({ ...project.estimate, steps }) })
      .where("id", "=", runId)
      .where(hasToken(token))
      .execute();
  }

  /**
   * Removes a run's files from this machine. Whatever cannot be removed now is removed when the worker starts again.
   */
  async tidy(runId: string): Promise<void> {
    this.#turn.leave(runId);
    await this.#workspaces.remove(runId).catch((err: unknown) => {
      // The user's next run must not wait for this folder.
      this.#services.logger.error({ err, runId }, "a run's folder could not be removed");
    });
  }

  /** Has the work done in a separate process, then calls `conclude` to commit it. */
  async #carryOut(
    hold: Hold,
    task: StepOrder["task"],
    step: StepNumber,
    conclude: (
      place: { workspace: Workspace; project: RunProject; signal: AbortSignal; logger: Logger },
      steps: readonly StepNumber[],
    ) => Promise<void>,
  ): Promise<StepOutcome> {
    const { runId } = hold;
    const { database, clock, outputs } = this.#services;
    const project = await projectOfRun(this.#services, runId);
    if (!project) return this.#outcomeOfEnded(runId, step);
    const report = beginStepReport(this.#services, { runId, project, task, step });
    const cancellation = new AbortController();
    const { signal } = cancellation;
    await using journal = await RunJournal.open({ db: database.db, clock }, hold, step, () => {
      cancellation.abort();
      void this.#holds.lost(runId).catch(() => undefined);
    });
    try {
      // A damaged result is made again, as if it had never been made.
      const without =
        task === "plan" ? await outputs.damagedSteps(project.id, { again: true }) : [];
      const workspace = await this.#workspaces.open(runId, project.id, project.inputs, without);
      const outcome = await this.#inProcess(
        { task, step },
        { workspace, project, signal, journal, report },
      );
      if (outcome.kind !== "done") return report.ended(outcome);
      // The run may have been stopped in the step's last moment.
      if (signal.aborted) return report.ended({ kind: "cancelled" });
      if (task === "step") journal.progress(1);
      const place = { workspace, project, signal, logger: report.logger };
      await untilDatabaseAnswers(() => conclude(place, outcome.steps));
      return report.ended(outcome);
    } catch (error) {
      if (error instanceof DatabaseAwayError) {
        report.interrupted("the database is unavailable");
        throw error;
      }
      if (signal.aborted || error instanceof HoldLostError) {
        const outcome = await this.#outcomeOfEnded(runId, step);
        if (outcome.kind === "cancelled") {
          report.logger.warn(
            { step },
            "refused: the run has ended or another worker has taken it over",
          );
        }
        return report.ended(outcome);
      }
      report.failure(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return report.ended(notStored(step, error));
    }
  }

  #inProcess(
    { task, step }: Pick<StepOrder, "task" | "step">,
    parts: {
      workspace: Workspace;
      project: RunProject;
      signal: AbortSignal;
      journal: RunJournal;
      report: StepReport;
    },
  ): Promise<StepOutcome> {
    const { workspace, project, signal, journal, report } = parts;
    const { input, results } = workspace;
    const { threads, stepMemoryMb, stepHours } = this.#services.config;
    return runInProcess(
      { task, step, input, results, ...project.order, threads },
      {
        limits: { memoryMb: stepMemoryMb, seconds: stepLimitSeconds(project.estimate, stepHours) },
        signal,
        provide: async (needs, wanted) => {
          const bytes = await untilDatabaseAnswers(() => workspace.provide(needs, wanted));
          report.logger.info({ step, bytes, files: needs.files.length }, "step provided");
        },
        listener: {
          progress: (fraction) => journal.progress(fraction),
          log: (line) => journal.log(line),
          failure: report.failure,
        },
      },
    );
  }
}
