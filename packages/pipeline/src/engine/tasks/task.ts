/**
 * The work of a task: a pure function of what all tasks of one call share and of its own input, both plain values with
 * typed arrays. It opens files by itself, at the paths that they have on the machine it runs on.
 */
export type TaskWork<Shared, Input, Output> = (
  shared: Shared,
  input: Input,
  files: TaskFiles,
) => Output | Promise<Output>;

/** Files that a task opens: a name of the task's own → absolute path. */
export type TaskFiles = Readonly<Record<string, string>>;

/** A piece of work that a thread here or another machine can do; a step lists its own. */
export interface Task<Shared = unknown, Input = unknown, Output = unknown> {
  name: string;
  /** URL of the module whose default export is the work; loaded where the work is done. */
  module: string;
  /** Whether it is in native code that takes the whole process along when its thread is ended in the middle. */
  isNative: boolean;
  /** Type carrier only; never set. */
  types?: { shared: Shared; input: Input; output: Output };
}

/** What is to be done in one call. */
export interface TaskCall<Shared = unknown, Input = unknown> {
  shared: Shared;
  files?: TaskFiles | undefined;
  /**
   * Made one at a time, when needed; an array works too. With `areOwn`, `at` makes new arrays each time, and threads
   * take their memory over instead of a copy.
   */
  inputs: {
    readonly length: number;
    at(index: number): Input | undefined;
    readonly areOwn?: boolean;
  };
}

/** Has the tasks of a step done. */
export interface Tasks {
  /** How many can be under way at a time: threads here and, where there may be some, other machines. */
  readonly hands: number;
  /**
   * Does a task for every input; results come in the order of the inputs and are the same wherever the work is done.
   * Throws {@link CancelledError} when `signal` is aborted.
   */
  map<Shared, Input, Output>(
    task: Task<Shared, Input, Output>,
    call: TaskCall<Shared, Input>,
    options: { signal: AbortSignal; progress?: ((fraction: number) => void) | undefined },
  ): Promise<Output[]>;
  /**
   * The same by threads here alone, one result after the other, for results that are too large to be held together:
   * only twice as many as there are threads are made ahead.
   */
  inOrder<Shared, Input, Output>(
    task: Task<Shared, Input, Output>,
    call: TaskCall<Shared, Input>,
    options: { signal: AbortSignal },
  ): AsyncGenerator<Output>;
}

/** Declares a task; `module` is the URL of its work. */
export function defineTask<Shared, Input, Output>(
  name: string,
  module: URL,
  { isNative = false }: { isNative?: boolean } = {},
): Task<Shared, Input, Output> {
  return { name, module: module.href, isNative };
}
