import { readConfig } from "./config.ts";
import { openContext } from "./context.ts";
import { prepareDatabase } from "./db/migrate.ts";
import { whenDue } from "./operations/chores.ts";
import { retentionSweepMs } from "./projects/delete-expired-projects.ts";
import { WORKER_POOL } from "./runs/queue/engine.ts";
import { startWorker } from "./runs/worker/worker.ts";
import { serveMetrics } from "./operations/metrics-server.ts";
import { addDatabaseMetrics } from "./operations/process-metrics.ts";
import { startOrRefuse } from "./start.ts";
import { onStop } from "./stop.ts";
import { sweepExpired } from "./sweep-expired.ts";

/** A worker process: runs one workflow at a time until it is asked to stop. Start as many as there is memory for. */
await startOrRefuse(async () => {
  // Only this account may read users' files and logs; the processes of steps inherit the mask.
  process.umask(0o077);
  const config = readConfig();
  // The API migrates, so a worker does not need permission to.
  await prepareDatabase(config, { migrates: false });
  const context = await openContext(config, { name: "worker", connections: WORKER_POOL });
  const metricsServer = config.metrics && (await serveMetrics(context.metrics, config.metrics));
  if (metricsServer) addDatabaseMetrics(context.metrics, context.database);
  const worker = await startWorker(context);
  context.logger.info({ worker: worker.id }, "worker ready");

  const everyMs = retentionSweepMs(config);
  let sweeping = false;
  const sweep = async (): Promise<void> => {
    if (sweeping) return;
    sweeping = true;
    try {
      await whenDue(context, "what is past its time", everyMs, () => sweepExpired(context));
    } catch (error) {
      context.logger.error({ err: error }, "expired data could not be deleted");
    } finally {
      sweeping = false;
    }
  };
  void sweep();
  const sweeps = setInterval(() => void sweep(), everyMs);

  onStop(config.stopping.drainSeconds, async () => {
    context.logger.info("stopping: no new runs, the current step may finish");
    clearInterval(sweeps);
    await worker.stop(config.stopping.drainSeconds * 1000);
    await metricsServer?.[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
  });
});
