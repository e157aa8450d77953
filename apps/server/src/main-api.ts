import { readConfig } from "./config.ts";
import { openContext } from "./context.ts";
import { prepareDatabase } from "./db/migrate.ts";
import { drain } from "./api/drain.ts";
import { untrustedProxyWarning } from "./http/untrusted-proxy-warning.ts";
import { buildServer } from "./api/server.ts";
import { addPlatformMetrics } from "./api/api-metrics.ts";
import { serveMetrics } from "./operations/metrics-server.ts";
import { addDatabaseMetrics } from "./operations/process-metrics.ts";
import { startWaiting, WAITING_MS } from "./runs/waiting-runs.ts";
import { StartRefused, startOrRefuse } from "./start.ts";
import { onStop } from "./stop.ts";

/** The API process: brings the database up to date, then answers requests until it is asked to stop. */
await startOrRefuse(async () => {
  // Only this account may read users' files and logs; the processes of steps inherit the mask.
  process.umask(0o077);
  const config = readConfig();
  await prepareDatabase(config, { migrates: config.migrates });
  const context = await openContext(config, { name: "api" });
  const app = await buildServer(context);
  const metricsServer = config.metrics && (await serveMetrics(context.metrics, config.metrics));
  if (metricsServer) {
    addDatabaseMetrics(context.metrics, context.database);
    addPlatformMetrics(context, app.server);
  }
  await app.listen({ port: config.port, host: config.host }).catch((cause: unknown) => {
    throw new StartRefused(
      `The API cannot listen on ${config.host}, port ${config.port} (${(cause as NodeJS.ErrnoException).code}): stop what uses the port, or set HOST and PORT to what this machine and account may open.`,
      { cause, isTemporary: true },
    );
  });
  context.logger.info({ url: config.publicUrl }, "listening");
  const notice = untrustedProxyWarning(config);
  if (notice) context.logger.warn(notice);
  // Beside everything else: a large file is checked for minutes.
  context.uploads
    .sweep()
    .catch((error: unknown) =>
      context.logger.error({ err: error }, "files that were left could not be checked"),
    );
  // Created in advance at low priority, so that nobody has to wait for the sample.
  context.sample
    .files()
    .catch((error: unknown) => context.logger.warn({ err: error }, "no sample dataset"));

  const waiting = setInterval(() => {
    startWaiting(context).catch((error: unknown) =>
      context.logger.error({ err: error }, "waiting runs could not be started"),
    );
  }, WAITING_MS);

  const { delaySeconds, drainSeconds } = config.stopping;
  onStop(delaySeconds + drainSeconds, async () => {
    clearInterval(waiting);
    await drain(app, context);
    await metricsServer?.[Symbol.asyncDispose]();
    await context[Symbol.asyncDispose]();
  });
});
