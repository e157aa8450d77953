import { Worker } from "node:worker_threads";
import type { Finding, Reply } from "./messages.ts";

/** The thread and what it remembers go after this time without work. */
const IDLE_MS = 300_000;

/** A thread that answers one order at a time; it is started when it is needed. */
export class StudyThread<Order> {
  /** File name of what runs in it. */
  readonly #module: string;
  readonly #threads: number;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** `threads`: of its own, for the tasks of an order. */
  constructor(module: string, threads: number) {
    this.#module = module;
    this.#threads = threads;
  }

  async ask(order: Order): Promise<Finding> {
    clearTimeout(this.#idle);
    this.#worker ??= new Worker(new URL(this.#module, import.meta.url), {
      execArgv: [],
      workerData: { threads: this.#threads },
    });
    this.#worker.unref();
    try {
      return await replyOf(this.#worker, order);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const ended = this.#worker;
    this.#worker = null;
    await ended?.terminate();
  }
}

function replyOf(thread: Worker, order: unknown): Promise<Finding> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void): void => {
      thread.off("message", replied).off("error", failed).off("exit", ended);
      then();
    };
    const replied = (reply: Reply): void =>
      settle(() => ("failed" in reply ? reject(new Error(reply.failed)) : resolve(reply)));
    const failed = (error: Error): void => settle(() => reject(error));
    const ended = (): void =>
      settle(() => reject(new Error("The thread that computes for studies ended")));
    thread.on("message", replied).on("error", failed).on("exit", ended);
    thread.postMessage(order);
  });
}
