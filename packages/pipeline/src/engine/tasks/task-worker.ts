import { move, transferableSymbol, valueSymbol } from "piscina";
import { arraysOf } from "./arrays.ts";
import type { TaskFiles, TaskWork } from "./task.ts";

/** What a thread is given. */
export interface ThreadOrder {
  module: string;
  shared: unknown;
  input: unknown;
  files: TaskFiles;
  /** One number: {@link BEGUN} or {@link CANCELLED}, 0 before. Of native tasks only. */
  state?: Int32Array;
}

/** Of a task that is to be let end, and of one that shall not begin. */
export const BEGUN = 1;
export const CANCELLED = 2;

/** Runs in a worker thread, which keeps what a task's module holds (images, networks) from task to task. */
export default async function work(order: ThreadOrder): Promise<unknown> {
  if (order.state && Atomics.compareExchange(order.state, 0, 0, BEGUN) === CANCELLED) return null;
  const { default: run } = (await import(order.module)) as {
    default: TaskWork<unknown, unknown, unknown>;
  };
  const result = await run(order.shared, order.input, order.files);
  // Moved, not copied: piscina takes both symbols off and hands over the buffers.
  return move({
    [transferableSymbol]: [...new Set(arraysOf(result).map(({ buffer }) => buffer))].filter(
      // What threads share stays where it is.
      (buffer) => buffer instanceof ArrayBuffer,
    ),
    [valueSymbol]: result as object,
  });
}
