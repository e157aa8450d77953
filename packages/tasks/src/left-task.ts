import { CancelledError } from "./cancellation.ts";

/** State of a native task: {@link BEGUN} or {@link CANCELLED}, 0 before. */
export const BEGUN = 1;
export const CANCELLED = 2;

let state: Int32Array | undefined;

/** Records the state of the task that this thread is running; undefined if it is not native. */
export function beginTask(of: Int32Array | undefined): void {
  state = of;
}

/**
 * Throws if this thread's task is no longer needed. Native tasks call it between their parts: their thread cannot be
 * killed in the middle of one.
 */
export function throwIfLeft(): void {
  if (state && Atomics.load(state, 0) === CANCELLED) throw new CancelledError();
}
