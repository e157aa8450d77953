import { DBOS } from "@dbos-inc/dbos-sdk";
import { sql } from "kysely";
import type { Context } from "../../context.ts";
import { ring } from "../../workflow/doorbell.ts";
import { RUN_QUEUES, WORKFLOW_VERSION } from "../../workflow/queue.ts";
import type { TaskOrder, TaskOutcome } from "./task-messages.ts";

export const PIPELINE_TASK = "pipelineTask";

/**
 * The queue of batches for one worker. Each has its own, so that a batch goes to an idle worker and never waits for one
 * that is running a step.
 */
export function taskQueueOf(workerId: string): string {
  return `tasks-${workerId}`;
}

/** The helping workers, from the view of the worker that asks. */
export interface TaskQueue {
  /** Workers that are alive and idle; none while a run is waiting, because they are about to start it. */
  idle(): Promise<string[]>;
  /** Puts a batch in a worker's queue. Returns its id. */
  send(worker: string, order: TaskOrder): Promise<string>;
  /** State of a batch; also not done if its worker is gone. */
  look(id: string, worker: string): Promise<"under way" | TaskOutcome>;
  /** Cancels and deletes a batch, whatever its state; its worker stops. */
  forget(id: string): Promise<void>;
}

export function openTaskQueue({ database, runs }: Context, self: string): TaskQueue {
  const { db } = database;
  return {
    async idle() {
      const { rows } = await sql<{ id: string }>`
        select id from workers
        where id <> ${self} and alive_until > clock_timestamp()
          and not exists (
            select 1 from dbos.workflow_status
            where status = 'PENDING' and executor_id = workers.id)
          and not exists (
            select 1 from dbos.workflow_status
            where status = 'ENQUEUED'
              and queue_name in (${sql.join([...RUN_QUEUES])}, 'tasks-' || workers.id))
        order by id`.execute(db);
      return rows.map(({ id }) => id);
    },
    async send(worker, order) {
      const handle = await database.transaction(async (transaction, client) => {
        await ring(transaction);
        return runs.queue.enqueueInTransaction(
          client,
          {
            queueName: taskQueueOf(worker),
            workflowName: PIPELINE_TASK,
            appVersion: WORKFLOW_VERSION,
          },
          order,
        );
      });
      return handle.workflowID;
    },
    async look(id, worker) {
      const { rows } = await sql<{ status: string; alive: boolean }>`
        select status,
          exists (select 1 from workers where id = ${worker} and alive_until > clock_timestamp()) as alive
        from dbos.workflow_status where workflow_uuid = ${id}`.execute(db);
      const [row] = rows;
      if (!row) return null;
      if (row.status === "SUCCESS")
        return await runs.queue.retrieveWorkflow<TaskOutcome>(id).getResult();
      return row.alive && /^(ENQUEUED|PENDING)$/.test(row.status) ? "under way" : null;
    },
    async forget(id) {
      await runs.queue.cancelWorkflow(id);
      await runs.queue.deleteWorkflow(id);
    },
  };
}

/** Opens this worker's own queue, where others put batches. Call after the engine's launch. */
export async function openOwnQueue(self: string): Promise<void> {
  await DBOS.registerQueue(taskQueueOf(self), {
    workerConcurrency: 1,
    minPollingIntervalMs: 200,
    onConflict: "always_update",
  });
}

/** Removes the queue of a worker that is gone, and what is in it. */
export async function removeQueueOf({ runs }: Context, worker: string): Promise<void> {
  const left = await runs.queue.listWorkflows({
    queueName: taskQueueOf(worker),
    loadInput: false,
    loadOutput: false,
  });
  await runs.queue.cancelWorkflows(left.map(({ workflowID }) => workflowID));
  await runs.queue.deleteQueue(taskQueueOf(worker));
}
