import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPostgres } from "../../cli/src/serve/postgres.ts";
import { migrate } from "../src/db/migrate.ts";

/** Data folder with a stopped, migrated PostgreSQL cluster, which tests copy; set by {@link setup}. */
const VARIABLE = "TEST_CLUSTER";

/** Vitest's global setup: creates the cluster once, because that takes longer than many a test file. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "stipple-cluster-template-"));
  // Temporary folders are private; the account PostgreSQL runs under needs access.
  await chmod(folder, 0o755);
  const postgres = await startPostgres({ dataDir: folder, throwaway: true });
  await migrate(postgres.url);
  await postgres.stop();
  process.env[VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Puts a copy of the cluster into an empty data folder, where `startPostgres` finds it. Without one, does nothing. */
export async function copyCluster(dataDir: string): Promise<void> {
  const template = process.env[VARIABLE];
  if (template === undefined) return;
  await mkdir(dataDir, { recursive: true });
  // Keeps owner and mode, which PostgreSQL insists on.
  await promisify(execFile)("cp", ["-a", join(template, "postgres"), dataDir]);
  await copyFile(join(template, "postgres-password"), join(dataDir, "postgres-password"));
}
