import { DBOS } from "@dbos-inc/dbos-sdk";
import type { RunServices } from "../services.ts";
import { hasWork } from "./dbos-tables.ts";
import { openDoorbell } from "./doorbell.ts";
import { APPLICATION, openQueuePool, queueLogger, RUN_QUEUES, WORKFLOW_VERSION } from "./queue.ts";
import { QUEUE_CONNECTIONS } from "../runs.ts";

/** A worker's connections: those for our own queries, and the one that listens. */
export const WORKER_POOL = 3;
const LISTENING = 1;

/** How often the queue is asked while there is work. */
const QUEUE_POLL_MS = 200;
/** How often we look for work without having heard of any. */
const POLL_MS = 10_000;
/** How long the engine stays up without work: starting it takes a moment. */
const IDLE_MS = 15_000;
/**
 * The maximum time for which the shutdown of an idle engine waits: a workflow it took at the last moment is finished.
 */
const DRAIN_MS = 2 ** 31 - 1;

/**
 * DBOS in a worker, which runs only while there is work: it asks its database several times a second, and an idle
 * platform that lets it run takes seven times the CPU time (docs/decisions/0027). While it is down, the worker waits for
 * the doorbell (doorbell.ts).
 */
export interface Engine {
  /** Takes nothing more. Work in progress may continue for this long, but is not waited for. */
  stop(timeoutMs: number): Promise<void>;
}

export function startEngine(services: RunServices, workerId: string): Engine {
  const { config, logger, database } = services;
  configure(services, workerId);
  const bell = openDoorbell(config.databaseUrl);
  let isStopping = false;
  let isUp = false;

  async function loop(): Promise<void> {
    let idleSince = Date.now();
    while (!isStopping) {
      try {
        if (await hasWork(database.db, workerId)) {
          idleSince = Date.now();
          if (!isUp) await launch(() => (isUp = true));
        } else if (isUp && Date.now() - idleSince > IDLE_MS) {
          isUp = false;
          await DBOS.shutdown({ workflowCompletionTimeoutMS: DRAIN_MS });
          // Something may have come while it went down.
          continue;
        }
      } catch (error) {
        logger.warn({ err: error }, "the queue cannot be checked");
      }
      await bell.rungOr(isUp ? IDLE_MS / 3 : POLL_MS);
    }
  }

  const looping = loop();
  return {
    async stop(timeoutMs) {
      isStopping = true;
      await bell.stop();
      if (isUp) await looping;
      if (!isUp) return;
      // This waits for whole runs, ours only for a step: the process exits before this finishes.
      DBOS.shutdown({ workflowCompletionTimeoutMS: Math.min(DRAIN_MS, timeoutMs) }).catch(
        (error: unknown) => logger.warn({ err: error }, "the queue did not stop"),
      );
    },
  };
}

function configure({ config, logger }: RunServices, workerId: string): void {
  const connections = config.connections.worker - WORKER_POOL - QUEUE_CONNECTIONS - LISTENING;
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: config.databaseUrl,
    systemDatabasePool: openQueuePool(config.databaseUrl, connections),
    applicationVersion: WORKFLOW_VERSION,
    executorID: workerId,
    listenQueues: [...RUN_QUEUES],
    // Our workflows do not wait for messages; with this off, a transaction pooler is harmless.
    useListenNotify: false,
    runMigrations: false,
    logger: queueLogger(logger),
  });
}

async function launch(onUp: () => void): Promise<void> {
  await DBOS.launch();
  onUp();
  // Each queue takes one run at a time; which of these runs continues is decided step by step (turn-of-steps.ts).
  for (const name of RUN_QUEUES) {
    await DBOS.registerQueue(name, {
      workerConcurrency: 1,
      minPollingIntervalMs: QUEUE_POLL_MS,
      onConflict: "always_update",
    });
  }
}
