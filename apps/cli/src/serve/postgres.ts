import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ChildService } from "./child-service.ts";
import { DEFAULT_LOG_FILES, openLogFile, type LogFiles } from "./log-file.ts";
import { freePort } from "./ports.ts";
import { makeFolder } from "./private-files.ts";
import { postgresFolder, reachableByAll } from "./postgres-binaries.ts";

export interface PostgresOptions {
  /** Folder of this instance; the cluster is in postgres/ below it. */
  dataDir: string;
  /** Skips flushing to disk: for tests, whose data is not kept. Survives being killed, but not a power failure. */
  throwaway?: boolean;
  logFiles?: LogFiles;
  /** Called when the server has ended on its own and is being restarted. */
  onRestart?: (reason: string) => void;
}

export interface RunningPostgres {
  /** Connection string of the `stipple` database; the same after a restart. */
  url: string;
  /** Process id of the server as it runs now. */
  pid(): number | undefined;
  stop(): Promise<void>;
}

const USER = "stipple";
const DATABASE = "stipple";

/** Numeric ids of the account that PostgreSQL runs as when we are root (it refuses to run as root). */
function unprivilegedIds(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = (line ?? "nobody:x:65534:65534").split(":");
  return { uid: Number(uid), gid: Number(gid) };
}

/** Location of the cluster: in the data folder, or in /var/lib if the unprivileged account cannot enter that. */
function clusterFolder(dataDir: string, unprivileged: boolean): string {
  const folder = join(dataDir, "postgres");
  if (!unprivileged || reachableByAll(folder)) return folder;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
  return join("/var/lib/stipple", name, "postgres");
}

/** Stops a server that a killed parent left running on this cluster. */
async function stopOrphan(cluster: string): Promise<void> {
  const pidFile = join(cluster, "postmaster.pid");
  if (!existsSync(pidFile)) return;
  const [pidLine, folder] = (await readFile(pidFile, "utf8")).split("\n");
  const pid = Number(pidLine);
  if (folder === cluster && pid > 0 && isPostgres(pid)) {
    process.kill(pid, "SIGINT");
    for (let i = 0; i < 100 && isPostgres(pid); i++) await sleep(100);
    if (isPostgres(pid)) {
      throw new Error(
        `The PostgreSQL server on ${cluster} (process ${pid}) does not stop: stop it manually.`,
      );
    }
  }
  await rm(pidFile, { force: true });
}

function isPostgres(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A process id may have been given to another program since.
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres");
  } catch {
    return true;
  }
}

/** Connection string of the embedded server that runs on a data folder; undefined when none does. */
export async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const cluster = clusterFolder(dataDir, unprivilegedIds() !== undefined);
  try {
    const [pid, , , port] = (await readFile(join(cluster, "postmaster.pid"), "utf8")).split("\n");
    if (!isPostgres(Number(pid))) return undefined;
    const password = await readFile(join(dataDir, "postgres-password"), "utf8");
    return `postgres://${USER}:${password}@127.0.0.1:${port}/${DATABASE}`;
  } catch {
    return undefined;
  }
}

async function createCluster(
  binaries: string,
  cluster: string,
  password: string,
  options: SpawnOptions,
): Promise<void> {
  const passwordFile = `${cluster}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (options.uid !== undefined) await chown(passwordFile, options.uid, options.gid ?? options.uid);
  try {
    const child = spawn(
      join(binaries, "bin", "initdb"),
      [
        `--pgdata=${cluster}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
      ],
      { ...options, stdio: ["ignore", "ignore", "pipe"] },
    );
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await exitOf(child);
    if (code !== 0) throw new Error(`The database could not be created: ${stderr.trim()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
}

async function connectOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A server that is shutting down may close the connection at any time; connect() reports it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [
      DATABASE,
    ]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts the embedded PostgreSQL on a free port of the loopback address and ensures that its database exists. A server
 * left behind by a killed parent is stopped first; one that ends on its own is restarted on the same port. Throws an
 * Error with one sentence if it cannot start.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { cluster, password, binaries, spawnOptions } = await readyCluster(options.dataDir);
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    // Details of a refused statement contain its values, e.g. the email of a second sign-up.
    log_error_verbosity: "terse",
    log_parameter_max_length: "0",
    log_parameter_max_length_on_error: "0",
    ...(options.throwaway ? { fsync: "off", full_page_writes: "off" } : {}),
  };
  const given = Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`]);
  const logPath = join(options.dataDir, "postgres.log");
  const log = openLogFile(logPath, options.logFiles ?? DEFAULT_LOG_FILES);
  const address = `postgres://${USER}:${password}@127.0.0.1:${port}`;

  const start = (): ChildProcess =>
    spawn(
      join(binaries, "bin", "postgres"),
      ["-D", cluster, "-p", `${port}`, ...given],
      // Its own group: Ctrl-C reaches us first, and we stop the database last.
      { ...spawnOptions, stdio: ["ignore", "ignore", "pipe"], detached: true },
    );
  const ended = Promise.withResolvers<never>();
  let isUp = false;
  // SIGINT is PostgreSQL's fast shutdown: open connections are closed, data is flushed.
  const service = new ChildService(start, log, "SIGINT", {
    onRestart(reason) {
      if (isUp) options.onRestart?.(reason);
      else {
        ended.reject(
          new Error(`The database stopped right after starting (${reason}): see ${logPath}.`),
        );
      }
    },
  });
  const stop = (): Promise<void> => service.stop();
  try {
    await Promise.race([untilReady(`${address}/postgres`), ended.promise]);
    isUp = true;
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: `${address}/${DATABASE}`, pid: () => service.pid, stop };
}

/** The cluster of a data folder, created on first use; no server runs on it. */
async function readyCluster(dataDir: string) {
  const ids = unprivilegedIds();
  const binaries = await postgresFolder(ids !== undefined);
  const cluster = clusterFolder(dataDir, ids !== undefined);
  await mkdir(dataDir, { recursive: true });
  // A recursive mkdir applies its mode to every folder it creates; only the last must be private.
  await makeFolder(dirname(cluster));
  await mkdir(cluster, { recursive: true, mode: 0o700 });
  if (ids) await chown(cluster, ids.uid, ids.gid);
  const environment = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
  const spawnOptions: SpawnOptions = { ...ids, env: environment, cwd: cluster };
  await stopOrphan(cluster);

  const passwordFile = join(dataDir, "postgres-password");
  if (!existsSync(join(cluster, "PG_VERSION"))) {
    await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
    await createCluster(binaries, cluster, await readFile(passwordFile, "utf8"), spawnOptions);
  }
  const password = await readFile(passwordFile, "utf8");
  return { cluster, password, binaries, spawnOptions };
}

/** SQLSTATE of a server that is starting up. */
const STARTING_UP = "57P03";

/** Waits for a server to take connections: as long as it recovers from a crash, and half a minute for any response. */
export async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ;) {
    try {
      return await connectOnce(url);
    } catch (cause) {
      if ((cause as { code?: string }).code !== STARTING_UP) attempt++;
      if (attempt > 150) throw new Error("The database does not respond.", { cause });
      await sleep(attempt < 20 ? 25 : 200);
    }
  }
}
