import { join } from "node:path";
import type { StepNumber } from "@stipple/contract";
import { readManifest } from "@stipple/pipeline/store/manifest";
import type { Logger } from "pino";
import type { RunServices } from "../services.ts";
import { DatabaseAwayError, untilDatabaseAnswers, type Db } from "../../db/database.ts";
import { placesOfRun } from "../../operations/tracing.ts";
import { DamagedFileError } from "../../storage/damage-errors.ts";
import { publishStep } from "../../outputs/publish.ts";
import { openWorkspaces, type Workspace, type Workspaces } from "../../outputs/workspace.ts";
import { diskRefusal, memoryRefusal, stepSeconds } from "../estimate/estimate.ts";
import { LeaseLostError, type Lease, type Leases } from "./leases.ts";
import { pastRuns } from "../estimate/past-runs.ts";
import { foundSize, sizeOf, TELLING_STEPS } from "../estimate/run-size.ts";
import { stepSecondsOf } from "../estimate/step-seconds.ts";
import { freeMb } from "../step/free-disk.ts";
import type { Gate } from "./gate.ts";
import { runInProcess } from "../step/run-in-process.ts";
import { RunJournal } from "./run-journal.ts";
import { foundIn, isCompleted, noteStep, takeOverResults } from "../results/run-results.ts";
import { loggerOfRun, projectOfRun, type RunProject } from "./run-project.ts";
import type { StepOrder, StepOutcome } from "../step/step-messages.ts";
import { openTurnOfSteps } from "./turn-of-steps.ts";

/** What a run needs from its worker. */
export interface WorkerParts {
  leases: Leases;
  /** Lets steps start until the worker is asked to stop. */
  gate: Gate;
}

/** The parts of one run's workflow, each done in turn in its own process. */
export class AnalysisJob {
  readonly #services: RunServices;
  readonly #leases: Leases;
  readonly #workspaces: Workspaces;
  readonly #turn = openTurnOfSteps();
  readonly #gate: Gate;

  constructor(services: RunServices, worker: WorkerParts) {
    this.#services = services;
    this.#gate = worker.gate;
    this.#leases = worker.leases;
    this.#workspaces = openWorkspaces(services, join(services.scratch.folder, "runs"));
  }

  /** Does `work` when no other step is in progress in this worker and no run waits that is due earlier. */
  async inTurn<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const run = await this.#services.database.db
      .selectFrom("runs")
      .select("due_at")
      .where("id", "=", runId)
      .executeTakeFirst();
    return this.#turn.take({ id: runId, dueAt: run?.due_at ?? new Date(0) }, () =>
      this.#gate.pass(work),
    );
  }

  /** Starts the run and removes the outputs it replaces. Null if it was canceled or deleted while queued. */
  async plan(runId: string): Promise<StepOutcome | null> {
    const { database, clock, config, tracing } = this.#services;
    const lease = await this.#leases.take(runId);
    if (!lease) return null;
    const run = await database.db
      .updateTable("runs")
      .set((of) => ({
        status: "running",
        started_at: of.fn.coalesce("started_at", of.val(clock.now())),
      }))
      .where("id", "=", runId)
      .where("status", "in", ["pending", "running"])
      .where("lease", "=", String(lease.token))
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
      lease,
      "plan",
      run.start_step as StepNumber,
      async ({ project }, planned) => {
        await takeOverResults(this.#services, lease, run.project_id, planned);
        await this.#estimateAnew(lease, project);
      },
    );
  }

  /** `isLast`: with this step the run is completed. */
  async step(runId: string, step: StepNumber, isLast: boolean): Promise<StepOutcome> {
    const lease = await this.#leases.take(runId);
    if (!lease) return this.#outcomeOfEnded(runId, step);
    return this.#carryOut(lease, "step", step, async ({ workspace, project, signal, logger }) => {
      const manifest = readManifest(workspace.results, step);
      if (!manifest) throw new Error(`Step ${step} ended without a manifest`);
      const found = isLast ? await foundIn(workspace.results) : null;
      const started = performance.now();
      const published = await publishStep(this.#services, {
        projectId: project.id,
        manifest,
        folder: workspace.results,
        guard: (transaction: Db) =>
          noteStep(this.#services, transaction, lease, { projectId: project.id, step, found }),
        signal,
      });
      const seconds = Number(((performance.now() - started) / 1000).toFixed(3));
      logger.info({ step, seconds, ...published }, "step published");
      if (TELLING_STEPS.includes(step)) await this.#estimateAnew(lease, project);
    });
  }

  /** The run has ended: with this step, before its worker could say so, or because somebody has stopped it. */
  async #outcomeOfEnded(runId: string, step: StepNumber): Promise<StepOutcome> {
    return (await isCompleted(this.#services, runId))
      ? { kind: "done", steps: [step] }
      : { kind: "cancelled" };
  }

  /** Updates the expected duration of the steps with everything now known about the sample. */
  async #estimateAnew({ runId, token }: Lease, project: RunProject): Promise<void> {
    const { database, outputs } = this.#services;
    if (!project.estimate.steps) return;
    const size = { ...sizeOf(project.inputs), ...(await foundSize(outputs, project.id)) };
    const { analysisType } = project.order.settings;
    const steps = stepSecondsOf(size, analysisType, await pastRuns(database.db));
    await database.db
      .updateTable("runs")
      .set({ estimate: JSON.stringify({ ...project.estimate, steps }) })
      .where("id", "=", runId)
      .where("lease", "=", String(token))
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
    lease: Lease,
    task: StepOrder["task"],
    step: StepNumber,
    conclude: (
      place: { workspace: Workspace; project: RunProject; signal: AbortSignal; logger: Logger },
      steps: readonly StepNumber[],
    ) => Promise<void>,
  ): Promise<StepOutcome> {
    const { runId } = lease;
    const { database, clock, config, metrics, outputs, tracing } = this.#services;
    const project = await projectOfRun(this.#services, runId);
    if (!project) return { kind: "cancelled" };
    const logger = loggerOfRun(this.#services, runId, {
      project_id: project.id,
      ...project.origin,
    });
    const places = placesOfRun({ id: runId, traceparent: project.origin.traceparent });
    const span = tracing.begin(task === "plan" ? "plan" : `step ${step}`, places.step);
    const began = performance.now();
    const ended = (outcome: StepOutcome): StepOutcome => {
      const seconds = (performance.now() - began) / 1000;
      if (task === "step") {
        metrics.stepSeconds.observe({ step: `${step}`, outcome: outcome.kind }, seconds);
      }
      const cause = outcome.kind === "failed" ? outcome.cause : undefined;
      span.end({
        attributes: {
          "stipple.run_id": runId,
          "stipple.project_id": project.id,
          "stipple.step": step,
          "stipple.outcome": outcome.kind,
        },
        failure: cause,
      });
      logger.info(
        { task, step, outcome: outcome.kind, cause, seconds: Number(seconds.toFixed(3)) },
        "step ended",
      );
      return outcome;
    };
    const cancellation = new AbortController();
    await using journal = await RunJournal.open({ db: database.db, clock }, lease, step, () =>
      cancellation.abort(),
    );
    const signal = AbortSignal.any([cancellation.signal, lease.signal]);
    const failure = (detail: string): void => logger.error({ step, detail }, "step failed");
    try {
      // A damaged result is made again, as if it had never been made.
      const without =
        task === "plan" ? await outputs.damagedSteps(project.id, { again: true }) : [];
      const workspace = await this.#workspaces.open(runId, project.id, project.inputs, without);
      const { input, results } = workspace;
      let outcome = await runInProcess(
        { task, step, input, results, ...project.order, threads: config.threads },
        {
          limits: {
            memoryMb: config.stepMemoryMb,
            seconds: stepSeconds(project.estimate, config.stepHours),
          },
          signal,
          provide: async (needs, wanted) => {
            const bytes = await untilDatabaseAnswers(() => workspace.provide(needs, wanted));
            logger.info({ step, bytes, files: needs.files.length }, "step provided");
          },
          listener: {
            progress: (fraction) => journal.progress(fraction),
            log: (line) => journal.log(line),
            failure,
          },
        },
      );
      if (outcome.kind === "done") {
        // The run may have been stopped in the step's last moment.
        if (signal.aborted) outcome = { kind: "cancelled" };
        else {
          const { steps } = outcome;
          if (task === "step") journal.progress(1);
          await untilDatabaseAnswers(() => conclude({ workspace, project, signal, logger }, steps));
        }
      }
      return ended(outcome);
    } catch (error) {
      if (error instanceof DatabaseAwayError) {
        span.end({ failure: "the database is unavailable" });
        throw error;
      }
      if (signal.aborted || error instanceof LeaseLostError) {
        const outcome = await this.#outcomeOfEnded(runId, step);
        if (outcome.kind === "cancelled") {
          logger.warn({ step }, "refused: the run has ended or another worker has taken it over");
        }
        return ended(outcome);
      }
      failure(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return ended({
        kind: "failed",
        fault: "server",
        cause: "storage",
        message:
          error instanceof DamagedFileError
            ? error.message
            : `Step ${step} could not be stored. Please resume from this step.`,
      });
    }
  }
}
