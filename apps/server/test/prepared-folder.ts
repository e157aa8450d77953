import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "../../cli/src/serve/postgres.ts";
import { migrate } from "../src/db/migrate.ts";
import { openSampleDataset } from "../src/sample/sample-dataset.ts";

/** Data folder with a stopped, migrated PostgreSQL cluster and the sample dataset; set by {@link setup}. */
const VARIABLE = "PREPARED_FOLDER";

/** Vitest's global setup: makes once what most tests need, because that takes longer than many a test file. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Another project of this run has made it.
  if (process.env[VARIABLE] !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "stipple-prepared-"));
  // Temporary folders are private; the account PostgreSQL runs under needs access.
  await chmod(folder, 0o755);
  await Promise.all([makeCluster(folder), openSampleDataset(join(folder, "sample")).files()]);
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function makeCluster(dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir, throwaway: true });
  await migrate(postgres.url);
  await postgres.stop();
}

/** Copies the cluster into an empty data folder, where `startPostgres` finds it. */
export async function copyDatabase(dataDir: string): Promise<void> {
  await copy(["postgres", "postgres-password"], dataDir);
}

/** Copies the sample dataset into a data folder, so that starting there does not simulate it. */
export async function copySample(dataDir: string): Promise<void> {
  await copy(["sample"], dataDir);
}

/** Does nothing where nothing was prepared (outside vitest). */
async function copy(names: readonly string[], dataDir: string): Promise<void> {
  const folder = process.env[VARIABLE];
  if (folder === undefined) return;
  await mkdir(dataDir, { recursive: true });
  // Keeps owner and mode, which PostgreSQL insists on.
  const paths = names.map((name) => join(folder, name));
  await promisify(execFile)("cp", ["-a", ...paths, dataDir]);
}
