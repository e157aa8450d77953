import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../../../apps/cli/src/serve/postgres.ts";
import { readConfig } from "../../../apps/server/src/config.ts";
import { openContext } from "../../../apps/server/src/context.ts";
import { migrate } from "../../../apps/server/src/db/migrate.ts";
import { buildServer } from "../../../apps/server/src/api/server.ts";
import type { FromServer, Held, ToServer } from "./messages.ts";
import { makePeople } from "./people.ts";

/**
 * The server under load, in a separate process: the product's API on a separate database, with the given number of
 * users, plus a no-op route. Sends its parent its URL, tokens, and projects, and, on request, its resource use.
 */
let queries = 0;
countQueries();
const folder = await mkdtemp(join(tmpdir(), "stipple-load-"));
await chmod(folder, 0o755);
const postgres = await startPostgres({ dataDir: join(folder, "database"), throwaway: true });
const config = readConfig({
  DATABASE_URL: postgres.url,
  STIPPLE_DATA_DIR: join(folder, "data"),
  STIPPLE_WEB_DIR: join(folder, "web"),
  STIPPLE_LOG_LEVEL: "error",
});
await migrate(config.databaseUrl);
const context = await openContext(config, { name: "load" });
const app = await buildServer(context);
app.get("/bench/nothing", () => "");
const url = await app.listen({ port: 0, host: "127.0.0.1" });
const tell = (message: FromServer): void => void process.send?.(message);
tell({ kind: "ready", url, people: await makePeople(context, Number(process.argv[2])) });

process.on("message", (asked: ToServer) => {
  if (asked.kind === "held") tell({ kind: "held", held: held() });
  else void countOf(asked.path, asked.token).then((count) => tell({ kind: "queries", count }));
});
process.once("disconnect", () => {
  void (async () => {
    await app.close();
    await context[Symbol.asyncDispose]();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    process.exit(0);
  })();
});

function held(): Held {
  const { rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  // Only what survives garbage collection counts as held.
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external, cpuSeconds: (user + system) / 1e6 };
}

/** Number of queries made by one request. */
async function countOf(path: string, token: string): Promise<number> {
  const before = queries;
  await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } });
  return queries - before;
}

function countQueries(): void {
  const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    queries += 1;
    return query.apply(this, given);
  } as typeof pg.Client.prototype.query;
}
