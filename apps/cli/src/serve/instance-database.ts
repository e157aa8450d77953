import { existsSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "@stipple/pipeline/errors";
import { assertUnclaimed, claimDataDir } from "./instance-lock.ts";
import { runningDatabaseUrl, startPostgres } from "./postgres.ts";
import { makeFolder } from "./private-files.ts";
import { loadEnvironment } from "./settings.ts";

/** This instance's settings, with the address of its embedded database if that runs and DATABASE_URL names no other. */
export async function runningInstance(): Promise<NodeJS.ProcessEnv> {
  const environment = { ...loadEnvironment() };
  environment["DATABASE_URL"] ||= await runningDatabaseUrl(environment["STIPPLE_DATA_DIR"] ?? "");
  return environment;
}

/**
 * Does `work` with this instance's settings and database: that of DATABASE_URL, or the embedded one, which is started
 * for the duration if the instance is not running.
 */
export async function withDatabase<T>(
  options: { isNew?: boolean; mayRun: boolean },
  work: (environment: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  // Files written meanwhile are private to the service.
  process.umask(0o077);
  const environment = { ...loadEnvironment() };
  const dataDir = environment["STIPPLE_DATA_DIR"] ?? "";
  if (environment["DATABASE_URL"]) return work(environment);
  const running = await runningDatabaseUrl(dataDir);
  if (running && options.mayRun) return work({ ...environment, DATABASE_URL: running });
  try {
    assertUnclaimed(dataDir);
  } catch (error) {
    throw new InputError((error as Error).message, { cause: error });
  }
  if (!options.isNew && !existsSync(join(dataDir, "postgres-password"))) {
    throw new InputError(
      `There is no Stipple instance in ${dataDir}: set STIPPLE_DATA_DIR to its data folder, or DATABASE_URL to its database.`,
    );
  }
  await makeFolder(dataDir);
  const lock = await claimDataDir(dataDir, "the command line");
  try {
    const postgres = await startPostgres({ dataDir });
    try {
      return await work({ ...environment, DATABASE_URL: postgres.url });
    } finally {
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
}
