import { randomUUID } from "node:crypto";
import { DBOSClient } from "@dbos-inc/dbos-sdk";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { AnalysisOptions, RunChoices, StepNumber } from "@stipple/contract";
import type { Entitlements } from "../billing/entitlements.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import { isUniqueViolation, type Database, type Db } from "../db/database.ts";
import type { RunsTable } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { EXAMPLE_OWNER } from "../projects/example-owner.ts";
import type { OwnedProject } from "../access/opened-results.ts";
import { analyzedContent } from "../billing/analyzed-content.ts";
import { keepAnalysisType, keepChoices } from "../projects/choices.ts";
import { ring } from "./queue/doorbell.ts";
import { dueAt, estimateOf } from "./estimate/estimate.ts";
import { pastRuns } from "./estimate/past-runs.ts";
import {
  ANALYSIS_QUEUE,
  ANALYZE_PROJECT,
  APPLICATION,
  openQueuePool,
  queueLogger,
  queueOf,
  WORKFLOW_VERSION,
} from "./queue/queue.ts";
import { placeOf, placeRead, type QueuePlace } from "./queue/queue-place.ts";
import { sizeOf, type SizedInput } from "./estimate/run-size.ts";
import { stepSecondsOf } from "./estimate/step-seconds.ts";
import type { Workers } from "./worker/workers.ts";
import type { Selectable } from "kysely";

export type Run = Selectable<RunsTable>;

/** Accepting, watching and stopping runs. Carrying them out is the worker's business (worker/). */
export interface Runs extends AsyncDisposable {
  /** The durable queue, for code that adds to it or inspects it. */
  readonly queue: DBOSClient;
  /**
   * Accepts a run: one active workflow per user, one analysis of the plan per project, and the durable workflow, all in
   * one transaction. `place` is null if a worker is free; `choices` and `analysisType` replace the project's. Throws
   * workflow_active or the plan's refusal.
   */
  start(
    project: OwnedProject,
    order: {
      startStep: StepNumber;
      inputs: readonly SizedInput[];
      choices?: RunChoices | undefined;
      /** The request that asks for it. */
      origin?: { requestId: string; traceparent: string | undefined };
      analysisType?: AnalysisOptions["analysis_type"] | undefined;
    },
  ): Promise<{ place: QueuePlace | null }>;
  /** The project's newest run, or null. */
  latest(projectId: string): Promise<Run | null>;
  /**
   * Stops the project's queued or running workflow; false if there is none. It ends immediately: nothing more can be
   * written about it, and another run may be started, which waits until the worker has released this one.
   */
  cancel(projectId: string): Promise<boolean>;
  /** Puts the runs of a dead worker back into the queue. Returns their ids. */
  requeue(worker: string): Promise<string[]>;
  /** Puts a run in progress back into the queue. Its worker can no longer write and exits when it notices. */
  takeBack(runId: string, queueName: string): Promise<void>;
}

/** Connections of a process that only enqueue and cancel. */
export const QUEUE_CONNECTIONS = 2;
/** Arbitrary; held while a run is admitted, so that two runs never take the same free worker. */
const ADMISSION_LOCK = 7_203_115;

/** The live example is due after every run that is requested within this time. */
const EXAMPLE_WAIT_MS = 24 * 3_600_000;

/** The queue takes small numbers first: seconds since a day before any run. */
function priorityOf(due: Date): number {
  return Math.floor((due.getTime() - Date.UTC(2026, 0, 1)) / 1000);
}

export async function openRuns(parts: {
  database: Database;
  clock: Clock;
  config: Config;
  logger: Logger;
  entitlements: Entitlements;
  workers: Workers;
}): Promise<Runs> {
  const { database, clock, config, logger, entitlements, workers } = parts;
  const { db } = database;
  const pool = openQueuePool(config.databaseUrl, QUEUE_CONNECTIONS);
  const queue = await DBOSClient.create({
    systemDatabaseUrl: config.databaseUrl,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger: queueLogger(logger),
  });

  async function countActive(query: Db): Promise<number> {
    const { count } = await query
      .selectFrom("runs")
      .select((select) => select.fn.countAll<string>().as("count"))
      .where("status", "in", ["pending", "running"])
      // It lets others go first.
      .where("user_id", "!=", EXAMPLE_OWNER)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  return {
    queue,
    async start(project, { startStep, inputs, choices, analysisType, origin }) {
      const id = randomUUID();
      const now = clock.now();
      const steps = stepSecondsOf(
        sizeOf(inputs),
        analysisType ?? project.options.analysis_type,
        await pastRuns(db),
      );
      const estimate = { ...estimateOf(inputs), steps };
      const isExample = project.userId === EXAMPLE_OWNER;
      const due = new Date(dueAt(now, estimate).getTime() + (isExample ? EXAMPLE_WAIT_MS : 0));
      try {
        return await database.transaction(async (transaction, client) => {
          await sql`select pg_advisory_xact_lock(${ADMISSION_LOCK})`.execute(transaction);
          const free = (await countActive(transaction)) < (await workers.live(transaction));
          await transaction
            .insertInto("runs")
            .values({
              id,
              project_id: project.id,
              user_id: project.userId,
              // With a free worker it counts as running from now on: the worker takes it within a moment.
              status: free ? "running" : "pending",
              start_step: startStep,
              log: "[]",
              created_at: now,
              due_at: due,
              estimate: JSON.stringify(estimate),
              started_at: free ? now : null,
              request_id: origin?.requestId ?? null,
              traceparent: origin?.traceparent ?? null,
            })
            .execute();
          if (choices) await keepChoices(transaction, project.id, choices);
          if (analysisType) await keepAnalysisType(transaction, project, analysisType);
          if (!isExample) {
            await entitlements.reserveAnalysis(
              transaction,
              { id, userId: project.userId, projectId: project.id },
              await analyzedContent(transaction, project.id),
            );
          }
          await queue.enqueueInTransaction(
            client,
            {
              queueName: queueOf(project.userId, estimate),
              priority: priorityOf(due),
              workflowName: ANALYZE_PROJECT,
              workflowID: id,
              appVersion: WORKFLOW_VERSION,
            },
            id,
          );
          await ring(transaction);
          if (free) return { place: null };
          const { place } = await transaction
            .selectFrom("runs")
            .select((run) => placeRead(run).as("place"))
            .where("runs.id", "=", id)
            .executeTakeFirstOrThrow();
          return { place: placeOf(place) };
        });
      } catch (error) {
        if (isUniqueViolation(error, "runs_one_active")) throw new ApiError("workflow_active");
        throw error;
      }
    },

    async latest(projectId) {
      const row = await db
        .selectFrom("runs")
        .selectAll()
        .where("project_id", "=", projectId)
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },

    async cancel(projectId) {
      const stopped = await database.transaction(async (transaction) => {
        const run = await transaction
          .selectFrom("runs")
          .selectAll()
          .where("project_id", "=", projectId)
          .where("status", "in", ["pending", "running"])
          .forUpdate()
          .executeTakeFirst();
        if (!run) return null;
        await transaction
          .updateTable("runs")
          .set({
            cancel_requested: true,
            status: "cancelled",
            finished_at: clock.now(),
            lease: sql`lease + 1`,
          })
          .where("id", "=", run.id)
          .execute();
        if (!run.prepared) await entitlements.returnAnalysis(transaction, run.id);
        return run.id;
      });
      // The queue is only tidied up: otherwise, a worker that takes the run finds that it has ended.
      if (stopped !== null) await queue.cancelWorkflow(stopped);
      return stopped !== null;
    },

    async requeue(worker) {
      const orphans = await queue.listWorkflows({
        executorId: worker,
        status: "PENDING",
        workflowName: ANALYZE_PROJECT,
        loadInput: false,
        loadOutput: false,
      });
      for (const { workflowID, queueName } of orphans) {
        await queue.resumeWorkflow(workflowID, { queueName: queueName ?? ANALYSIS_QUEUE });
      }
      if (orphans.length > 0) await ring(db);
      return orphans.map(({ workflowID }) => workflowID);
    },

    async takeBack(runId, queueName) {
      await db
        .updateTable("runs")
        .set({ lease: sql`lease + 1`, worker: null, lease_until: null })
        .where("id", "=", runId)
        .where("status", "=", "running")
        .execute();
      await queue.resumeWorkflow(runId, { queueName });
      await ring(db);
    },

    async [Symbol.asyncDispose]() {
      await queue.destroy();
      await pool.end();
    },
  };
}
