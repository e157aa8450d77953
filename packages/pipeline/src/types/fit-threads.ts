import type { Tasks } from "@stipple/tasks/task";

/** Threads that share independent work. */
export interface FitThreads {
  tasks: Tasks;
  signal: AbortSignal;
}
