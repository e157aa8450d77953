import { setTimeout as sleep } from "node:timers/promises";
import { Piscina } from "piscina";
import type { Task } from "./task.ts";
import type { ThreadOrder } from "./task-worker.ts";

/** Worker threads, started as they are needed and kept until they are closed. */
export interface LocalThreads {
  readonly count: number;
  /** Does one task. Aborting `signal` ends the thread that is at it. */
  run(task: Task, order: Omit<ThreadOrder, "module">, signal: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export function openLocalThreads(count: number): LocalThreads {
  let pool: Piscina | null = null;
  const start = (): Piscina =>
    (pool ??= new Piscina({
      filename: new URL("./task-worker.ts", import.meta.url).href,
      minThreads: 1,
      maxThreads: count,
      idleTimeout: Infinity,
      // Whatever the parent was started with (a test runner's loader, a debugger) is not for the workers.
      execArgv: [],
      // The TIFF reader's web-worker shim takes a thread without data for one of its own and fails.
      workerData: {},
    }));
  return {
    count,
    run: ({ module }, order, signal) =>
      start().run({ module, ...order } satisfies ThreadOrder, { signal }) as Promise<unknown>,
    async close() {
      if (pool) await Promise.race([pool.destroy(), sleep(5000, undefined, { ref: false })]);
    },
  };
}
