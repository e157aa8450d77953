import { spawn, type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { STEP_ENVIRONMENT } from "@stipple/pipeline/step-environment";
import { REFUSED } from "@stipple/server/start";
import { openLogFile, type LogFiles } from "./log-file.ts";

export interface ServiceOptions {
  name: string;
  /** Absolute path of the TypeScript entry. */
  entry: string;
  environment: NodeJS.ProcessEnv;
  /** The service's output goes to logs/<name>.log below this folder. */
  dataDir: string;
  logFiles: LogFiles;
  /** How long it may take to stop before it is killed. */
  stopTimeoutMs: number;
  /** Called when the service has ended on its own and is being restarted. */
  onRestart?: (name: string, reason: string) => void;
  /** Called when the service refuses to start, with its reason; it is not restarted. */
  onRefused?: (name: string, reason: string) => void;
}

/** Services are mostly idle: without this limit, each holds tens of megabytes of garbage before collecting it. */
const YOUNG_HEAP = "--max-semi-space-size=4";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * A child process that is restarted when it dies and that ends with us: it holds an IPC channel and exits when that
 * closes.
 */
export class ChildService {
  readonly #options: ServiceOptions;
  readonly #log: Writable;
  #child: ChildProcess | undefined;
  #stopping = false;
  #pauseMs = FIRST_PAUSE_MS;
  #startedAt = 0;
  #restart: NodeJS.Timeout | undefined;

  private constructor(options: ServiceOptions, log: Writable) {
    this.#options = options;
    this.#log = log;
  }

  static async start(options: ServiceOptions): Promise<ChildService> {
    const folder = join(options.dataDir, "logs");
    await mkdir(folder, { recursive: true });
    const log = openLogFile(join(folder, `${options.name}.log`), options.logFiles);
    const service = new ChildService(options, log);
    service.#spawn();
    return service;
  }

  #spawn(): void {
    const { entry, environment } = this.#options;
    this.#startedAt = Date.now();
    const child = spawn(process.execPath, [YOUNG_HEAP, entry], {
      // The worker passes its environment on to the processes of its steps.
      env: { ...STEP_ENVIRONMENT, ...environment },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      // Its own group: Ctrl-C reaches only us, and we stop the services in order.
      detached: true,
    });
    child.stdout?.pipe(this.#log, { end: false });
    child.stderr?.pipe(this.#log, { end: false });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-4_000);
    });
    // "close" comes after all of its output, "exit" may come before.
    child.once("close", (code, signal) => {
      if (code === REFUSED && !this.#stopping) {
        this.#child = undefined;
        this.#options.onRefused?.(this.#options.name, withoutWarnings(stderr));
      } else this.#ended(signal ?? `exit code ${code}`);
    });
    this.#child = child;
  }

  #ended(reason: string): void {
    this.#child = undefined;
    if (this.#stopping) return;
    this.#options.onRestart?.(this.#options.name, reason);
    // A service that ran for a while restarts quickly; one that dies immediately is retried at growing intervals.
    const ranLong = Date.now() - this.#startedAt > 60_000;
    this.#pauseMs = ranLong ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    this.#restart = setTimeout(() => this.#spawn(), this.#pauseMs);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Kills it immediately. */
  kill(): void {
    this.#stopping = true;
    this.#child?.kill("SIGKILL");
  }

  /** Asks the service to end, and ends it after a while if it does not. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    // One that has exited, but whose output is still open, emits no second "exit".
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), this.#options.stopTimeoutMs);
      await ended;
      clearTimeout(killer);
    }
    this.#log.end();
  }
}

/** A process's own messages, without Node's warnings. */
function withoutWarnings(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\(node:\d+\)|^\(Use `node/.test(line))
    .join("\n")
    .trim();
}
