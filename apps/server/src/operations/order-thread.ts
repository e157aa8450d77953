import { Worker } from "node:worker_threads";

/** A thread that answers one order at a time. */
export class OrderThread<Order, Message> {
  readonly #worker: Worker;
  #ended = false;

  /** `workerData`: for its own use. */
  constructor(module: URL, workerData?: object) {
    this.#worker = new Worker(module, { execArgv: [], workerData });
    this.#worker.unref();
    this.#worker.once("exit", () => (this.#ended = true));
    // Pending requests report it; without a listener it would crash the server.
    this.#worker.on("error", () => undefined);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * The first message in which there is a reply, and not only progress. Rejects when the thread dies or the signal is
   * aborted; the thread must then be ended.
   */
  ask<Reply>(
    order: Order,
    signal: AbortSignal | undefined,
    replyIn: (message: Message) => Reply | null,
  ): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      const abort = (): void => settle(() => reject(signal?.reason as Error));
      const died = (): void => settle(() => reject(new Error("The thread ended")));
      const failed = (error: Error): void => settle(() => reject(error));
      const replied = (message: Message): void => {
        const reply = replyIn(message);
        if (reply !== null) settle(() => resolve(reply));
      };
      const settle = (then: () => void): void => {
        signal?.removeEventListener("abort", abort);
        this.#worker.off("exit", died).off("error", failed).off("message", replied);
        then();
      };
      if (signal?.aborted) return reject(signal.reason as Error);
      signal?.addEventListener("abort", abort, { once: true });
      this.#worker.on("exit", died).on("error", failed).on("message", replied);
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * A thread that stays and remembers between orders; after one that failed, a new one. It is started when it is needed,
 * and after `idleMs` without an order it ends, and all it holds is free.
 */
export class SteadyThread<Order, Reply> {
  readonly #start: () => OrderThread<Order, Reply>;
  readonly #idleMs: number;
  #thread: OrderThread<Order, Reply> | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: () => OrderThread<Order, Reply>, idleMs: number) {
    this.#start = start;
    this.#idleMs = idleMs;
  }

  async ask(order: Order, signal?: AbortSignal): Promise<Reply> {
    clearTimeout(this.#idle);
    if (!this.#thread || this.#thread.ended) this.#thread = this.#start();
    try {
      return await this.#thread.ask(order, signal, (message) => message);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.#idle = setTimeout(() => void this.end(), this.#idleMs).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end();
  }
}
