import { Worker } from "node:worker_threads";
import type { Order, Progress, Reply } from "./messages.ts";

/** After this long without an order the steady thread ends, and all it holds is free. */
const IDLE_MS = 10 * 60_000;

/** A thread that answers one order at a time. */
export class ComputeThread {
  readonly #worker = new Worker(new URL("./compute-thread.ts", import.meta.url), { execArgv: [] });

  #ended = false;

  constructor() {
    this.#worker.unref();
    this.#worker.once("exit", () => (this.#ended = true));
    // Pending requests report it; without a listener it would crash the server.
    this.#worker.on("error", () => undefined);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Rejects when the thread dies or the signal is aborted; the thread must then be ended. */
  ask(
    order: Order,
    signal: AbortSignal,
    progress: (done: number) => void = () => undefined,
  ): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const abort = (): void => settle(() => reject(signal.reason as Error));
      const died = (): void => settle(() => reject(new Error("The compute thread ended")));
      const failed = (error: Error): void => settle(() => reject(error));
      const replied = (reply: Reply | Progress): void => {
        if (reply.kind === "progress") progress(reply.done);
        else settle(() => resolve(reply));
      };
      const settle = (then: () => void): void => {
        signal.removeEventListener("abort", abort);
        this.#worker.off("exit", died).off("error", failed).off("message", replied);
        then();
      };
      if (signal.aborted) return reject(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      this.#worker.on("exit", died).on("error", failed).on("message", replied);
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** A thread that stays and remembers between orders; after one that failed, a new one. One order at a time. */
export class SteadyThread {
  #thread: ComputeThread | null = null;
  #idle: NodeJS.Timeout | undefined;

  async ask(order: Order, signal: AbortSignal): Promise<Reply> {
    clearTimeout(this.#idle);
    if (!this.#thread || this.#thread.ended) this.#thread = new ComputeThread();
    try {
      return await this.#thread.ask(order, signal);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }
}
