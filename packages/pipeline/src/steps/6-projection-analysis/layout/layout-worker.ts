import { layOut } from "./lay-out.ts";
import type { Layout, LayoutWork } from "./layout-task.ts";

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export default function work(_shared: object, { start, told, ...given }: LayoutWork): Layout {
  for (const done of layOut(start, given, given)) Atomics.store(told, 0, done);
  return { embedding: start };
}
