import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../../errors.ts";

/** What a long computation is given. */
export interface Work {
  seed: number;
  signal: AbortSignal;
  /** Fraction that is done, 0–1. */
  progress(fraction: number): void;
}

const SLICE_MS = 50;

/** A function to await in loops: it lets other work happen, and hears a cancellation, twenty times a second. */
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

/** The same work as a part of a larger one: its progress runs from `from` to `to`. */
export function partOf(work: Work, from: number, to: number): Work {
  return { ...work, progress: (fraction) => work.progress(from + (to - from) * fraction) };
}
