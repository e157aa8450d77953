import { DBOS } from "@dbos-inc/dbos-sdk";
import { sql } from "kysely";
import type { RunServices } from "../services.ts";
import { listen } from "./doorbell.ts";
import { APPLICATION, openQueuePool, queueLogger, RUN_QUEUES, WORKFLOW_VERSION } from "./queue.ts";
import { QUEUE_CONNECTIONS } from "../runs.ts";

/** A worker's connections: those for our own queries, and the one that listens. */
export const WORKER_POOL = 3;
const LISTENING = 1;

/** How often the queue is asked while there is work. */
const QUEUE_POLL_MS = 200;
/** How often we look for work without having heard of any. */
const LOOK_EVERY_MS = 10_000;
/** How long the engine stays up without work: starting it takes a moment. */
const IDLE_MS = 15_000;
/**
 * The maximum time for which the shutdown of an idle engine waits: a workflow it took at the last moment is finished.
 */
const DRAIN_MS = 2 ** 31 - 1;

/**
 * A worker's durable engine, which runs only while there is work, because it polls its database many times a second.
 * While it is down, the worker waits for the doorbell (doorbell.ts) at almost no cost.
 */
export interface Engine {
  /** Takes nothing more. Work in progress may continue for this long, but is not waited for. */
  stop(patienceMs: number): Promise<void>;
}

export function startEngine(services: RunServices, workerId: string): Engine {
  const { config, logger, database } = services;
  const connections = config.connections.worker - WORKER_POOL - QUEUE_CONNECTIONS - LISTENING;
  const pool = openQueuePool(config.databaseUrl, connections);
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: config.databaseUrl,
    systemDatabasePool: pool,
    applicationVersion: WORKFLOW_VERSION,
    executorID: workerId,
    listenQueues: [...RUN_QUEUES],
    // Our workflows do not wait for messages; with this off, a transaction pooler is harmless.
    useListenNotify: false,
    runMigrations: false,
    logger: queueLogger(logger),
  });

  let isStopping = false;
  let isUp = false;
  let wake: () => void = () => undefined;
  let rung = true;
  const ringing = (): void => {
    rung = true;
    wake();
  };
  const bell = listen(config.databaseUrl, ringing);

  async function rungOr(ms: number): Promise<void> {
    if (!rung && !isStopping) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    rung = false;
  }

  /** Whether something waits in the queue or was taken by this worker. */
  async function isWork(): Promise<boolean> {
    const { rows } = await sql`
      select 1 from dbos.workflow_status
      where queue_name in (${sql.join(RUN_QUEUES)})
        and (status = 'ENQUEUED' or (status = 'PENDING' and executor_id = ${workerId}))
      limit 1`.execute(database.db);
    return rows.length > 0;
  }

  async function launch(): Promise<void> {
    await DBOS.launch();
    isUp = true;
    // Each queue takes one run at a time; which of these runs continues is decided step by step (turn-of-steps.ts).
    for (const name of RUN_QUEUES) {
      await DBOS.registerQueue(name, {
        workerConcurrency: 1,
        minPollingIntervalMs: QUEUE_POLL_MS,
        onConflict: "always_update",
      });
    }
  }

  async function loop(): Promise<void> {
    let idleSince = Date.now();
    while (!isStopping) {
      try {
        if (await isWork()) {
          idleSince = Date.now();
          if (!isUp) await launch();
        } else if (isUp && Date.now() - idleSince > IDLE_MS) {
          isUp = false;
          await DBOS.shutdown({ workflowCompletionTimeoutMS: DRAIN_MS });
          // Something may have come while it went down.
          continue;
        }
      } catch (error) {
        logger.warn({ err: error }, "the queue cannot be checked");
      }
      await rungOr(isUp ? IDLE_MS / 3 : LOOK_EVERY_MS);
    }
  }

  const looping = loop();
  return {
    async stop(patienceMs) {
      isStopping = true;
      wake();
      await bell.stop();
      if (isUp) await looping;
      if (!isUp) return;
      // This waits for whole runs, ours only for a step: the process exits before this finishes.
      DBOS.shutdown({ workflowCompletionTimeoutMS: Math.min(DRAIN_MS, patienceMs) }).catch(
        (error: unknown) => logger.warn({ err: error }, "the queue did not stop"),
      );
    },
  };
}
