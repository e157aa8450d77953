import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Context } from "../context.ts";
import {
  ANALYSIS_QUEUE,
  ANALYZE_PROJECT,
  APPLICATION,
  queueLogger,
  WORKFLOW_VERSION,
} from "../workflow/queue.ts";
import { HEARTBEAT_MS } from "../workflow/workers.ts";
import { registerAnalyzeProject } from "./analyze-project.ts";
import { takeFreeSlot, takeSlot } from "./worker-slot.ts";

export interface RunningWorker {
  slot: string;
  /** Stops without waiting: the run under way goes on when a worker takes this slot again. */
  stop(): Promise<void>;
}

const QUEUE_POLL_MS = 200;
/** Runs of workers that are gone are looked for this often. */
const RESCUE_EVERY_MS = 5_000;

export async function startWorker(context: Context): Promise<RunningWorker> {
  const { config, logger, workers, clock } = context;
  const slot = await takeSlot(config.databaseUrl, config.workerSlot, (cause) => {
    logger.fatal({ err: cause }, "lost the database: ending, to be started again");
    process.exit(1);
  });
  DBOS.setConfig({
    name: APPLICATION,
    systemDatabaseUrl: config.databaseUrl,
    systemDatabasePoolSize: 6,
    applicationVersion: WORKFLOW_VERSION,
    executorID: slot.name,
    listenQueues: [ANALYSIS_QUEUE],
    runMigrations: false,
    logger: queueLogger(logger),
  });
  registerAnalyzeProject(context, slot.name);
  // Launching takes up the runs that the former holder of this slot left behind.
  await DBOS.launch();
  await DBOS.registerQueue(ANALYSIS_QUEUE, {
    workerConcurrency: 1,
    minPollingIntervalMs: QUEUE_POLL_MS,
    onConflict: "always_update",
  });

  const startedAt = clock.now();
  await workers.beat(slot.name, startedAt);
  const heartbeat = setInterval(() => {
    workers
      .beat(slot.name, startedAt)
      .catch((error: unknown) => logger.warn({ err: error }, "heartbeat failed"));
  }, HEARTBEAT_MS);
  const lookForOrphans = (): void => {
    rescueOrphans(context).catch((error: unknown) =>
      logger.warn({ err: error }, "looking for orphaned runs failed"),
    );
  };
  lookForOrphans();
  const rescue = setInterval(lookForOrphans, RESCUE_EVERY_MS);

  return {
    slot: slot.name,
    async stop() {
      clearInterval(heartbeat);
      clearInterval(rescue);
      await workers.leave(slot.name);
      await DBOS.shutdown();
      await slot[Symbol.asyncDispose]();
    },
  };
}

/** Puts runs whose worker is gone for good back into the queue, for any worker to go on with. */
async function rescueOrphans({ config, workers, logger }: Context): Promise<void> {
  for (const slot of await workers.gone()) {
    // While we hold the slot, no successor can start and take the same runs up.
    await using held = await takeFreeSlot(config.databaseUrl, slot);
    if (!held) continue;
    const orphans = await DBOS.listWorkflows({
      executorId: slot,
      status: "PENDING",
      workflowName: ANALYZE_PROJECT,
      loadInput: false,
      loadOutput: false,
    });
    for (const { workflowID } of orphans) {
      logger.warn({ runId: workflowID, slot }, "taking over the run of a worker that is gone");
      await DBOS.cancelWorkflow(workflowID);
      await DBOS.resumeWorkflow(workflowID, { queueName: ANALYSIS_QUEUE });
    }
    await workers.forget(slot);
  }
}
