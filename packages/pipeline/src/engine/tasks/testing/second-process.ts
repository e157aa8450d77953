import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Batch, Helpers } from "../helpers.ts";
import type { Places } from "../named-files.ts";

export type ToHelper =
  | { kind: "batch"; id: number; common: Batch["common"]; inputs: Uint8Array }
  | { kind: "stop"; id: number };
export type FromHelper =
  | { kind: "ready" }
  | { kind: "begun" }
  | { kind: "done"; id: number; result: Uint8Array }
  | { kind: "undone"; id: number; reason: string };

/** Another process that runs batches, using a channel between the two processes as transport. */
export class SecondProcess implements Helpers, AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #change: (batch: Batch) => Batch;
  readonly worth = { secondsLeft: 0, batchSeconds: 0.2, bytesPerSecond: Infinity };
  done = 0;
  reasons: string[] = [];
  begun: () => void = () => undefined;
  readonly #waiting = new Map<number, (result: Uint8Array | null) => void>();
  #sent = 0;

  private constructor(child: ChildProcess, change: (batch: Batch) => Batch) {
    this.#child = child;
    this.#change = change;
    child.on("message", (message: FromHelper) => {
      if (message.kind === "begun") this.begun();
      if (message.kind === "undone") this.reasons.push(message.reason);
      if (message.kind === "done") this.done++;
      if ("id" in message) {
        this.#waiting.get(message.id)?.(message.kind === "done" ? message.result : null);
      }
    });
    child.once("exit", () => this.#waiting.forEach((resolve) => resolve(null)));
  }

  static async start(
    places: Places,
    change: (batch: Batch) => Batch = (batch) => batch,
  ): Promise<SecondProcess> {
    const entry = new URL("./helper-process.ts", import.meta.url);
    const child = fork(entry, [JSON.stringify(places)], {
      serialization: "advanced",
      execArgv: [],
    });
    await once(child, "message");
    return new SecondProcess(child, change);
  }

  free(): Promise<number> {
    return Promise.resolve(this.#child.connected ? 1 : 0);
  }

  send(batch: Batch, signal: AbortSignal): Promise<Uint8Array | null> {
    const id = ++this.#sent;
    const { common, inputs } = this.#change(batch);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      signal.addEventListener("abort", () => this.#say({ kind: "stop", id }));
      this.#say({ kind: "batch", id, common, inputs });
    });
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #say(message: ToHelper): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.kill();
    await once(this.#child, "exit");
  }
}
