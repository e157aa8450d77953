import { readConfig } from "./config.ts";
import { openContext } from "./context.ts";
import { migrate } from "./db/migrate.ts";
import { deleteExpiredProjects, RETENTION_SWEEP_MS } from "./jobs/delete-expired-projects.ts";
import { startWorker } from "./jobs/worker.ts";
import { onStop } from "./stop.ts";

/** A worker process: runs one workflow at a time until it is asked to stop. Start as many as there is memory for. */
const config = readConfig();
await migrate(config.databaseUrl);
const context = await openContext(config, { name: "worker" });
const worker = await startWorker(context);
context.logger.info({ slot: worker.slot }, "worker ready");

const sweep = (): void => {
  deleteExpiredProjects(context).catch((error: unknown) =>
    context.logger.error({ err: error }, "projects past their storage time could not be deleted"),
  );
};
sweep();
const sweeps = setInterval(sweep, RETENTION_SWEEP_MS);

onStop(async () => {
  clearInterval(sweeps);
  await worker.stop();
  await context[Symbol.asyncDispose]();
});
