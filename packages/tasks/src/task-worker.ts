import { move, transferableSymbol, valueSymbol } from "piscina";
import { arraysOf } from "./arrays.ts";
import { BEGUN, beginTask, CANCELLED } from "./left-task.ts";
import type { TaskFiles, TaskWork } from "./task.ts";

/** Input of a thread. */
export interface ThreadOrder {
  module: string;
  name: string;
  shared: unknown;
  input: unknown;
  files: TaskFiles;
  /** One number, see left-task.ts. Only for native tasks. */
  state?: Int32Array;
}

/** Runs in a worker thread, which keeps the state of a task's module (images, networks) from task to task. */
export default async function work(order: ThreadOrder): Promise<unknown> {
  if (order.state && Atomics.compareExchange(order.state, 0, 0, BEGUN) === CANCELLED) return null;
  beginTask(order.state);
  const exported = (await import(order.module)) as Record<
    string,
    TaskWork<unknown, unknown, unknown>
  >;
  const run = exported[order.name];
  if (!run) throw new Error(`${order.module} does not export ${order.name}`);
  const result = await run(order.shared, order.input, order.files);
  // Transferred, not copied: piscina removes both symbols and transfers the buffers.
  return move({
    [transferableSymbol]: [...new Set(arraysOf(result).map(({ buffer }) => buffer))].filter(
      // Shared memory stays where it is.
      (buffer) => buffer instanceof ArrayBuffer,
    ),
    [valueSymbol]: result as object,
  });
}
