import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestServer } from "./server.ts";

const ENTRY = fileURLToPath(new URL("../src/main-worker.ts", import.meta.url));

/** A real worker process on a test server's database and storage. */
export class TestWorker implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  /** Captured log. */
  output = "";

  /** `dataDir`: the worker's own disk; defaults to the test server's. */
  constructor(
    server: TestServer,
    dataDir = server.config.dataDir,
    environment: NodeJS.ProcessEnv = {},
  ) {
    this.#child = spawn(process.execPath, [ENTRY], {
      env: {
        ...process.env,
        ...server.environment,
        STIPPLE_DATA_DIR: dataDir,
        STIPPLE_STORAGE: server.config.storage.address,
        STIPPLE_SECRET: Buffer.from(server.config.jwtSecret).toString(),
        STIPPLE_LOG_LEVEL: "info",
        STIPPLE_THREADS: "2",
        // Disposing of the worker must not wait for a step.
        STIPPLE_DRAIN_SECONDS: "0",
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes: Buffer) => (this.output += bytes.toString()));
    }
    // Not "exit": its last output may arrive after that.
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  /** Process IDs of the steps it is running (Linux). */
  steps(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => parentOf(pid) === this.#child.pid);
  }

  killSteps(): void {
    for (const pid of this.steps()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        // It may have ended by itself since it was found.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  /** Null while it runs, and if a signal ended it. */
  get exitCode(): number | null {
    return this.#hasEnded ? this.#child.exitCode : null;
  }

  /** True once it has exited or been killed, and its output is complete. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Sends a signal without waiting for the process to exit. */
  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.hasEnded) await this.kill("SIGTERM");
  }
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return undefined;
  }
}
