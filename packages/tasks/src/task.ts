/**
 * The work of a task: a pure function of what all tasks of one call share and of its own input, both plain values with
 * typed arrays. It opens files itself.
 */
export type TaskWork<Shared, Input, Output> = (
  shared: Shared,
  input: Input,
  files: TaskFiles,
) => Output | Promise<Output>;

/** Files that a task opens: the task's name for it → absolute path. */
export type TaskFiles = Readonly<Record<string, string>>;

/** A piece of work for a thread. */
export interface Task<Shared = unknown, Input = unknown, Output = unknown> {
  /** URL of the module that exports the work, and the name of the function; loaded in the thread. */
  module: string;
  name: string;
  /** Whether it is native code that crashes the process if its thread is killed midway. */
  isNative: boolean;
  /** Type carrier only; never set. */
  types?: { shared: Shared; input: Input; output: Output };
}

/** The work of one call. */
export interface TaskCall<Shared = unknown, Input = unknown> {
  shared: Shared;
  files?: TaskFiles | undefined;
  /**
   * Made one at a time, when needed; an array works too. With `areOwn`, `at` makes new arrays each time, which are
   * transferred to threads instead of copied.
   */
  inputs: {
    readonly length: number;
    at(index: number): Input | undefined;
    readonly areOwn?: boolean;
  };
}

/** Runs the tasks of a step on worker threads. */
export interface Tasks {
  /** How many can run at a time. */
  readonly parallel: number;
  /** Whether work is worth the start of several threads, by its cost and the least cost (in any unit) that is. */
  isWorth(cost: number, least: number): boolean;
  /**
   * Runs a task for every input; results are in input order. Throws {@link CancelledError} when `signal` is aborted.
   */
  map<Shared, Input, Output>(
    task: Task<Shared, Input, Output>,
    call: TaskCall<Shared, Input>,
    options: { signal: AbortSignal; progress?: ((fraction: number) => void) | undefined },
  ): Promise<Output[]>;
  /**
   * Runs a task for every input, one result at a time, for results too large to keep together: at most twice as many
   * as there are threads are computed ahead.
   */
  inOrder<Shared, Input, Output>(
    task: Task<Shared, Input, Output>,
    call: TaskCall<Shared, Input>,
    options: { signal: AbortSignal },
  ): AsyncGenerator<Output>;
}

/** Declares `work` as a task. The module at `module` must export it under its own name, by which threads find it. */
export function defineTask<Shared, Input, Output>(
  module: string,
  work: TaskWork<Shared, Input, Output>,
  { isNative = false }: { isNative?: boolean } = {},
): Task<Shared, Input, Output> {
  return { module, name: work.name, isNative };
}
