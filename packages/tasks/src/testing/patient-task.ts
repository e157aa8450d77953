import { setImmediate } from "node:timers/promises";
import { defineTask } from "../task.ts";
import { throwIfLeft } from "../left-task.ts";

/** Far longer than a test waits. */
const MAX_MS = 20_000;

/**
 * A task of many parts: reports that it has started (1), and that it stopped between two parts because its result is no
 * longer needed (2).
 */
export async function waitPatiently(
  _shared: object,
  { state }: { state: Int32Array },
): Promise<null> {
  Atomics.store(state, 0, 1);
  const until = performance.now() + MAX_MS;
  while (performance.now() < until) {
    try {
      throwIfLeft();
    } catch (error) {
      Atomics.store(state, 0, 2);
      throw error;
    }
    await setImmediate();
  }
  return null;
}

export const patient = defineTask(import.meta.url, waitPatiently, { isNative: true });
