import { readConfig } from "./config.ts";
import { openContext } from "./context.ts";
import { migrate } from "./db/migrate.ts";
import { deleteExpiredProjects, retentionSweepMs } from "./jobs/delete-expired-projects.ts";
import { startWorker } from "./jobs/worker.ts";
import { sweepObjects, sweepUnfinished } from "./outputs/objects.ts";
import { onStop } from "./stop.ts";

/** A worker process: runs one workflow at a time until it is asked to stop. Start as many as there is memory for. */
// People's files and logs are this account's own; the steps' processes inherit it.
process.umask(0o077);
const config = readConfig();
await migrate(config.databaseUrl);
const context = await openContext(config, { name: "worker" });
const worker = await startWorker(context);
context.logger.info({ slot: worker.slot }, "worker ready");

let sweeping = false;
const sweep = async (): Promise<void> => {
  if (sweeping) return;
  sweeping = true;
  try {
    await deleteExpiredProjects(context);
    await context.uploads.sweep();
    await sweepObjects(context.database.db, context.storage);
    await sweepUnfinished(context.database.db, context.storage);
    await context.attempts.sweep();
  } catch (error) {
    context.logger.error({ err: error }, "what is past its time could not be deleted");
  } finally {
    sweeping = false;
  }
};
void sweep();
const sweeps = setInterval(() => void sweep(), retentionSweepMs(config));

onStop(async () => {
  clearInterval(sweeps);
  await worker.stop();
  await context[Symbol.asyncDispose]();
});
