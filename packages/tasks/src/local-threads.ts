import { setTimeout as sleep } from "node:timers/promises";
import { Piscina } from "piscina";
import { CancelledError, throwIfCancelled } from "./cancellation.ts";
import { ownMemory } from "./arrays.ts";
import type { Task } from "./task.ts";
import { BEGUN, CANCELLED } from "./left-task.ts";
import type { ThreadOrder } from "./task-worker.ts";

/** Long enough for the longest native task, a large tile in the network on a slow machine. */
const NATIVE_TIMEOUT_MS = 30_000;

/** Worker threads, started on demand and kept until closed. */
export interface LocalThreads {
  readonly count: number;
  /**
   * Runs one task. Aborting `signal` kills its thread; for a native task it ends the wait, and the thread
   * finishes the current part.
   */
  run(
    task: Task,
    order: Pick<ThreadOrder, "shared" | "input" | "files">,
    signal: AbortSignal,
    /** Whether the input's arrays are transferred to the thread rather than copied. */
    options?: { areOwn?: boolean | undefined },
  ): Promise<unknown>;
  close(): Promise<void>;
}

/** Up to `count` threads, none of which is started before the first task. */
export function openLocalThreads(count: number): LocalThreads {
  let pool: Piscina | null = null;
  const start = (): Piscina => (pool ??= newPool());
  function newPool(): Piscina {
    const fresh = new Piscina({
      filename: new URL("./task-worker.ts", import.meta.url).href,
      minThreads: 1,
      maxThreads: count,
      idleTimeout: Infinity,
      // Workers must not inherit the parent's options (a test runner's loader, a debugger).
      execArgv: [],
      // The TIFF reader's web-worker shim mistakes a thread without data for its own and fails.
      workerData: {},
    });
    // A killed thread may have just answered: nobody awaits that answer, and without a listener it would end the
    // process.
    fresh.on("error", () => undefined);
    return fresh;
  }
  /** Native tasks still running, including those no longer needed. */
  const natives = new Set<{ ended: Promise<unknown>; leave: () => void }>();

  async function runNative(
    order: ThreadOrder,
    signal: AbortSignal,
    transferList: ArrayBuffer[],
  ): Promise<unknown> {
    throwIfCancelled(signal);
    const state = new Int32Array(new SharedArrayBuffer(4));
    const queued = new AbortController();
    const options = { signal: queued.signal, transferList };
    const done = start().run({ ...order, state }, options) as Promise<unknown>;
    const native = {
      ended: done.catch(() => undefined).finally(() => natives.delete(native)),
      leave: () => {
        const before = Atomics.exchange(state, 0, CANCELLED);
        // Once started, the thread checks for cancellation between the parts of the task.
        if (before !== BEGUN && before !== CANCELLED) queued.abort();
      },
    };
    natives.add(native);
    const { promise: given, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      native.leave();
      reject(new CancelledError());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([done, given]);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  return {
    count,
    run: ({ module, name, isNative }, given, signal, { areOwn = false } = {}) => {
      const order = { module, name, ...given };
      const transferList = areOwn ? ownMemory(given.input) : [];
      if (isNative) return runNative(order, signal, transferList);
      const options = { signal, transferList };
      return start().run(order satisfies ThreadOrder, options) as Promise<unknown>;
    },
    async close() {
      natives.forEach(({ leave }) => leave());
      const ended = Promise.all([...natives].map((native) => native.ended));
      await Promise.race([ended, sleep(NATIVE_TIMEOUT_MS, undefined, { ref: false })]);
      if (pool) await Promise.race([pool.destroy(), sleep(5000, undefined, { ref: false })]);
    },
  };
}
