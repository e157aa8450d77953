import { spawn, type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { STEP_ENVIRONMENT } from "@stipple/pipeline/step-environment";
import { REFUSED } from "@stipple/server/start";
import { openLogFile, type LogFiles } from "./log-file.ts";

interface Supervision {
  /** Called when the process has ended on its own and is being restarted. */
  onRestart?: (reason: string) => void;
  /** Called when it refuses to start, with its reason; it is not restarted. */
  onRefused?: (reason: string) => void;
  /** How long it may take to stop before it is killed; without it, as long as it needs. */
  stopTimeoutMs?: number;
}

export interface ServiceOptions extends Supervision {
  name: string;
  /** Absolute path of the TypeScript entry. */
  entry: string;
  environment: NodeJS.ProcessEnv;
  /** The service's output goes to logs/<name>.log below this folder. */
  dataDir: string;
  logFiles: LogFiles;
}

/** Services are mostly idle: without this limit, each holds tens of megabytes of garbage before collecting it. */
const YOUNG_HEAP = "--max-semi-space-size=4";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** A child process that is restarted when it dies. */
export class ChildService {
  readonly #start: () => ChildProcess;
  readonly #log: Writable;
  readonly #stopSignal: NodeJS.Signals;
  readonly #supervision: Supervision;
  #child: ChildProcess | undefined;
  #stopping = false;
  #pauseMs = FIRST_PAUSE_MS;
  #startedAt = 0;
  #restart: NodeJS.Timeout | undefined;

  /** Starts it. What it prints goes to the log. */
  constructor(
    start: () => ChildProcess,
    log: Writable,
    stopSignal: NodeJS.Signals,
    supervision: Supervision,
  ) {
    this.#start = start;
    this.#log = log;
    this.#stopSignal = stopSignal;
    this.#supervision = supervision;
    this.#spawn();
  }

  /** Starts a service of the platform, which ends with us: it holds an IPC channel and exits when that closes. */
  static async start(options: ServiceOptions): Promise<ChildService> {
    const { name, entry, environment, dataDir } = options;
    const folder = join(dataDir, "logs");
    await mkdir(folder, { recursive: true });
    const log = openLogFile(join(folder, `${name}.log`), options.logFiles);
    const start = (): ChildProcess =>
      spawn(process.execPath, [YOUNG_HEAP, entry], {
        // The worker passes its environment on to the processes of its steps.
        env: { ...STEP_ENVIRONMENT, ...environment },
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        // Its own group: Ctrl-C reaches only us, and we stop the services in order.
        detached: true,
      });
    return new ChildService(start, log, "SIGTERM", options);
  }

  #spawn(): void {
    this.#startedAt = Date.now();
    const child = this.#start();
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
        this.#supervision.onRefused?.(withoutWarnings(stderr));
      } else this.#ended(signal ?? `exit code ${code}`);
    });
    this.#child = child;
  }

  #ended(reason: string): void {
    this.#child = undefined;
    if (this.#stopping) return;
    this.#supervision.onRestart?.(reason);
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
    const { stopTimeoutMs } = this.#supervision;
    // One that has exited, but whose output is still open, emits no second "exit".
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill(this.#stopSignal);
      const killer =
        stopTimeoutMs === undefined
          ? undefined
          : setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
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
