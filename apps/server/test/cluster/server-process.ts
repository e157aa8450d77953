import { spawn, type ChildProcess } from "node:child_process";

/** A process of the product, with its captured log. */
export class ServerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  output = "";

  /** `prefix`: words before the command, e.g. to run it in another network. */
  constructor(entry: string, environment: NodeJS.ProcessEnv, prefix: readonly string[] = []) {
    const [program, ...words] = [...prefix, process.execPath, entry];
    this.#child = spawn(program, words, {
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes: Buffer) => (this.output += bytes.toString()));
    }
    this.#exited = new Promise((resolve) => this.#child.once("exit", () => resolve()));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Null while it runs, and if a signal ended it. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** Sends a signal without waiting for the process to exit. */
  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it without warning, like a power failure. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** The first log line that matches. */
  async says(pattern: RegExp, timeoutMs = 60_000): Promise<RegExpExecArray> {
    for (let waited = 0; ; waited += 50) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.hasEnded || waited > timeoutMs) {
        throw new Error(`The process has not said ${pattern.source}, but: ${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.hasEnded) await this.kill();
  }
}
