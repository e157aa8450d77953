import { randomUUID } from "node:crypto";
import { mkdtemp, chmod, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../../apps/cli/src/serve/postgres.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { openContext } from "../../apps/server/src/context.ts";
import { migrate } from "../../apps/server/src/db/migrate.ts";
import { buildServer } from "../../apps/server/src/http/server.ts";

/**
 * The server under load, in a process of its own: the product's API on a database of its own, with so many people, and
 * one route beside it that does nothing. Tells its parent where it listens and with which tokens and projects.
 */
const people = Number(process.argv[2]);
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

const made: { token: string; project: string }[] = [];
for (let n = 0; n < people; n++) {
  const id = randomUUID();
  const email = `person${n}@example.org`;
  await context.database.db
    .insertInto("users")
    .values({ id, email, password_hash: "none", created_at: new Date() })
    .execute();
  const options = { platform: "visium", staining: "h_and_e", analysis_type: "basic" } as const;
  const project = await context.projects.create(id, "Under load", options);
  made.push({ token: await context.sessions.issue({ id, email }, "password"), project });
}
process.send?.({ url, people: made });

process.once("disconnect", () => {
  void (async () => {
    await app.close();
    await context[Symbol.asyncDispose]();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    process.exit(0);
  })();
});
