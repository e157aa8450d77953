import type { Tasks } from "@stipple/tasks/task";

/** Threads that share independent work. */
export interface FitThreads {
  tasks: Tasks;
  signal: AbortSignal;
  /** Amount of work from which threads are worth starting; each kind of work has its own default. */
  worthThreads?: number;
}
