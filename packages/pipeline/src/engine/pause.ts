import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../errors.ts";

/** Lets other work on this thread go on. Throws CancelledError once the signal is aborted. */
export async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate();
  throwIfCancelled(signal);
}
