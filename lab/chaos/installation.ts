import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { runningDatabaseUrl } from "../../apps/cli/src/serve/postgres.ts";
import { laterPort } from "../../apps/server/test/later-port.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RECOVERY_MS = 180_000;

/** Processes of a running platform. */
export type Part = "worker" | "step" | "api" | "database" | "sandbox";

const COMMANDS: Record<Part, RegExp> = {
  worker: /main-worker\.ts/,
  step: /step-process\.ts/,
  api: /main-api\.ts/,
  database: /postgres -D|bin\/postgres/,
  sandbox: /payment-sandbox\/src\/main\.ts/,
};

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** One `stipple serve` with its own data folder and ports, restarted after being killed. */
export class Installation {
  readonly dataDir: string;
  readonly url: string;
  readonly #port: number;
  readonly #environment: NodeJS.ProcessEnv;
  #serve: ChildProcess | undefined;
  /** Output of all starts. */
  output = "";

  private constructor(dataDir: string, port: number, environment: NodeJS.ProcessEnv) {
    this.dataDir = dataDir;
    this.#port = port;
    this.url = `http://localhost:${port}`;
    this.#environment = environment;
  }

  static async start(dataDir: string, environment: NodeJS.ProcessEnv = {}): Promise<Installation> {
    mkdirSync(dataDir, { recursive: true });
    const port = await laterPort("localhost");
    const installation = new Installation(dataDir, port, environment);
    installation.#spawn();
    await installation.untilWell();
    return installation;
  }

  #spawn(): void {
    this.#serve = spawn(process.execPath, ["apps/cli/bin/stipple.cjs", "serve"], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "development",
        PORT: `${this.#port}`,
        STIPPLE_DATA_DIR: this.dataDir,
        STIPPLE_PUBLIC_URL: this.url,
        STIPPLE_SIGNUPS_PER_MINUTE: "1000",
        STIPPLE_LOGINS_PER_MINUTE: "1000",
        ...this.#environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.#serve.stdout, this.#serve.stderr]) {
      stream?.on("data", (bytes: Buffer) => (this.output += bytes.toString()));
    }
  }

  /** Waits until API, database, and a worker are up; restarts the platform if it has exited. */
  async untilWell(): Promise<void> {
    const end = Date.now() + RECOVERY_MS;
    for (;;) {
      const health = await fetch(`${this.url}/api/health`, { signal: AbortSignal.timeout(5_000) })
        .then((answer) => answer.json() as Promise<{ database: boolean; workers: number }>)
        .catch(() => null);
      const isThere = health?.database && health.workers > 0 && this.pid("worker") !== undefined;
      // The API may not have noticed yet that its database is gone.
      if (isThere && (await this.#databaseAnswers())) return;
      if (Date.now() > end) {
        throw new Error(
          `The platform is not back after ${RECOVERY_MS / 1000} s: ${this.output.slice(-2_000)}`,
        );
      }
      if (this.#serve && (this.#serve.exitCode !== null || this.#serve.signalCode !== null)) {
        this.#spawn();
      }
      await sleep(200);
    }
  }

  async #databaseAnswers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: (await this.databaseUrl()) ?? "" });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Current process id of a part; for the database, the main process. */
  pid(part: Part): number | undefined {
    const own = this.#processes();
    const found = own.filter(({ command }) => COMMANDS[part].test(command));
    return (found.find(({ parent }) => !found.some(({ pid }) => pid === parent)) ?? found[0])?.pid;
  }

  /** Kills everything at once without notice, like a power failure. */
  async killAll(): Promise<void> {
    const ended = new Promise((resolve) => this.#serve?.once("exit", resolve));
    const isOver = this.#serve?.exitCode !== null || this.#serve.signalCode !== null;
    for (const { pid } of this.#processes()) send(pid, "SIGKILL");
    if (!isOver) await ended;
  }

  async stop(): Promise<void> {
    const serve = this.#serve;
    if (!serve || serve.exitCode !== null || serve.signalCode !== null) return;
    const ended = new Promise((resolve) => serve.once("exit", resolve));
    for (const { pid } of this.#processes()) send(pid, "SIGCONT");
    serve.kill("SIGTERM");
    const killer = setTimeout(() => void this.killAll(), 30_000);
    await ended;
    clearTimeout(killer);
  }

  databaseUrl(): Promise<string | undefined> {
    return runningDatabaseUrl(this.dataDir);
  }

  /** `serve` and its descendants. */
  #processes(): Process[] {
    const all = processes();
    const own = new Set([this.#serve?.pid]);
    for (let before = 0; before < own.size;) {
      before = own.size;
      for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
    }
    return all.filter(({ pid }) => own.has(pid));
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function processes(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(
          /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1],
        );
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return [{ pid: Number(name), parent, command }];
      } catch {
        return [];
      }
    });
}

/**
 * A dedicated disk for an installation that can be filled or made read-only. Needs root and a private mount namespace.
 */
export class SmallDisk {
  readonly folder: string;
  readonly #files: string;
  constructor(folder: string, megabytes: number) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder);
    this.#files = join(folder, "data", "files");
    mkdirSync(this.#files, { recursive: true });
    run("mount", "--bind", this.#files, this.#files);
  }
  fill(): void {
    for (let tries = 0; tries < 50; tries++) {
      const free = Number(run("df", "--output=avail", "-B1", this.folder).split("\n")[1]);
      try {
        run("fallocate", "-l", `${free}`, join(this.folder, "ballast"));
        return;
      } catch {
        // Another process has used some of the space in the meantime.
      }
    }
  }
  empty(): void {
    writeFileSync(join(this.folder, "ballast"), "");
  }
  /** Affects only users' files: the database stays writable. */
  async readOnly(isReadOnly: boolean): Promise<boolean> {
    for (let tries = 0; tries < 50; tries++) {
      try {
        run("mount", "-o", `remount,${isReadOnly ? "ro" : "rw"},bind`, this.#files);
        return true;
      } catch {
        // A file is currently being written.
        await sleep(50);
      }
    }
    return false;
  }
}

function run(program: string, ...words: string[]): string {
  return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
