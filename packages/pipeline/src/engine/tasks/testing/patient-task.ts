import { setImmediate } from "node:timers/promises";
import { throwIfLeft } from "../left-task.ts";

/** Far more than a test waits. */
const MOST_MS = 20_000;

/** A task of many parts: says that it has begun, and ends when nobody waits for it. */
export default async function work(
  _shared: object,
  { begun }: { begun: Int32Array },
): Promise<null> {
  Atomics.store(begun, 0, 1);
  const until = performance.now() + MOST_MS;
  while (performance.now() < until) {
    throwIfLeft();
    await setImmediate();
  }
  return null;
}
