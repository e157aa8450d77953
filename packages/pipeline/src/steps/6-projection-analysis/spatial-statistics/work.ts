import { setImmediate } from "node:timers/promises";
import type { Tasks } from "@stipple/tasks/task";
import { throwIfCancelled } from "../../../errors.ts";

/** Context passed to a long computation. */
export interface Work {
  seed: number;
  signal: AbortSignal;
  /** Fraction done, 0–1. */
  progress(fraction: number): void;
  /** Threads that share the work; none by default. */
  tasks?: Tasks | undefined;
}

const SLICE_MS = 50;

/**
 * Returns a function to await in loops: twenty times a second it yields to other work and checks for
 * cancellation.
 */
export function pauses({ signal }: { signal: AbortSignal }): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      throwIfCancelled(signal);
      last = performance.now();
    });
  };
}

/** Work as part of a larger job: its progress runs from `from` to `to`. */
export function partOf(work: Work, from: number, to: number): Work {
  return { ...work, progress: (fraction) => work.progress(from + (to - from) * fraction) };
}
