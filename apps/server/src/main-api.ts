import { readConfig } from "./config.ts";
import { openContext } from "./context.ts";
import { migrate } from "./db/migrate.ts";
import { limitsBehindProxy } from "./http/limits-behind-proxy.ts";
import { buildServer } from "./http/server.ts";
import { onStop } from "./stop.ts";

/** The API process: brings the database up to date, then answers requests until it is asked to stop. */
// People's files and logs are this account's own; the steps' processes inherit it.
process.umask(0o077);
const config = readConfig();
await migrate(config.databaseUrl);
const context = await openContext(config, { name: "api" });
const app = await buildServer(context);
await app.listen({ port: config.port, host: config.host });
context.logger.info({ url: config.publicUrl }, "listening");
const limits = limitsBehindProxy(config);
if (limits) context.logger.warn(limits);
await context.uploads.sweep();
// Made ahead, at low priority, so that whoever asks for the sample need not wait for it.
context.sample
  .files()
  .catch((error: unknown) => context.logger.warn({ err: error }, "no sample dataset"));

onStop(async () => {
  await app.close();
  await context[Symbol.asyncDispose]();
});
