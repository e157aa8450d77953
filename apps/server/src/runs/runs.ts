import { DBOSClient } from "@dbos-inc/dbos-sdk";
import type { Selectable } from "kysely";
import type { OwnedProject } from "../access/opened-results.ts";
import { isUniqueViolation } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { ApiError } from "../http/api-error.ts";
import { ring } from "./queue/doorbell.ts";
import type { QueuePlace } from "./queue/queue-place.ts";
import {
  ANALYSIS_QUEUE,
  ANALYZE_PROJECT,
  APPLICATION,
  openQueuePool,
  queueLogger,
} from "./queue/queue.ts";
import type { RunServices } from "./services.ts";
import { startRun, type RunOrder } from "./start-run.ts";

export type Run = Selectable<Schema["runs"]>;

/** Accepting, watching and stopping runs. Carrying them out is the worker's business (worker/). */
export interface Runs extends AsyncDisposable {
  /**
   * Accepts a run: one active workflow per user, one analysis of the plan per project, and the durable workflow, all in
   * one transaction. `place` is null if a worker is free. Throws workflow_active or the plan's refusal.
   */
  start(project: OwnedProject, order: RunOrder): Promise<{ place: QueuePlace | null }>;
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

type Parts = Pick<
  RunServices,
  "database" | "clock" | "config" | "logger" | "entitlements" | "workers"
>;

export async function openRuns(parts: Parts): Promise<Runs> {
  const { database, config, logger } = parts;
  const { db } = database;
  const pool = openQueuePool(config.databaseUrl, QUEUE_CONNECTIONS);
  const queue = await DBOSClient.create({
    systemDatabaseUrl: config.databaseUrl,
    systemDatabasePool: pool,
    applicationName: APPLICATION,
    logger: queueLogger(logger),
  });
  return {
    async start(project, order) {
      try {
        return await startRun({ ...parts, queue }, project, order);
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
      const stopped = await endActive(parts, projectId);
      // DBOS is only tidied up: otherwise, a worker that takes the run finds that it has ended.
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
        .set({ worker: null })
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

/** Marks a project's active run as canceled, and gives back its analysis if nothing has come of it. Returns its id. */
function endActive(
  { database, clock, entitlements }: Pick<Parts, "database" | "clock" | "entitlements">,
  projectId: string,
): Promise<string | null> {
  return database.transaction(async (transaction) => {
    const run = await transaction
      .selectFrom("runs")
      .select(["id", "prepared"])
      .where("project_id", "=", projectId)
      .where("status", "in", ["pending", "running"])
      .forUpdate()
      .executeTakeFirst();
    if (!run) return null;
    await transaction
      .updateTable("runs")
      .set({ status: "cancelled", finished_at: clock.now() })
      .where("id", "=", run.id)
      .execute();
    if (!run.prepared) await entitlements.returnAnalysis(transaction, run.id);
    return run.id;
  });
}
