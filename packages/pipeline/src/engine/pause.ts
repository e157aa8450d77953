import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../errors.ts";

/** Lets other work on this thread go on. Throws CancelledError if the signal, if there is one, is aborted. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  throwIfCancelled(signal);
}
