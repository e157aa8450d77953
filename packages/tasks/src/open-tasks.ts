import { throwIfCancelled } from "./cancellation.ts";
import { shareMemory } from "./arrays.ts";
import { openLocalThreads } from "./local-threads.ts";
import type { Task, TaskCall, Tasks } from "./task.ts";

/** Runs tasks on worker threads. Closing it ends them. `anyWork`: as if any work were worth it, for tests. */
export function openTasks(parts: { threads: number; anyWork?: boolean }): Tasks & AsyncDisposable {
  const count = Math.max(1, parts.threads);
  const threads = openLocalThreads(count);
  /** Tasks that are handed to the threads at a time: the second half is queued, so that no thread idles. */
  const ahead = 2 * count;
  return {
    parallel: count,
    isWorth: (cost, least) => count > 1 && (parts.anyWork === true || cost >= least),
    async map<S, I, O>(
      task: Task<S, I, O>,
      call: TaskCall<S, I>,
      { signal, progress }: Parameters<Tasks["map"]>[2],
    ): Promise<O[]> {
      throwIfCancelled(signal);
      const { inputs, files = {} } = call;
      const { areOwn } = inputs;
      const shared = shareMemory(call.shared);
      const results = new Array<O>(inputs.length);
      const failing = new AbortController();
      const ending = AbortSignal.any([signal, failing.signal]);
      let [next, done] = [0, 0];
      const lane = async (): Promise<void> => {
        while (next < inputs.length) {
          const index = next++;
          const order = { shared, files, input: inputs.at(index) };
          results[index] = (await threads.run(task, order, ending, { areOwn })) as O;
          progress?.(++done / inputs.length);
        }
      };
      try {
        await Promise.all(Array.from({ length: ahead }, lane));
      } catch (error) {
        failing.abort();
        throwIfCancelled(signal);
        throw error;
      }
      return results;
    },
    async *inOrder<S, I, O>(
      task: Task<S, I, O>,
      { inputs, files = {}, shared: common }: TaskCall<S, I>,
      { signal }: { signal: AbortSignal },
    ): AsyncGenerator<O> {
      const shared = shareMemory(common);
      const ending = new AbortController();
      const underWay: Promise<O>[] = [];
      try {
        for (let next = 0; next < inputs.length || underWay.length > 0;) {
          throwIfCancelled(signal);
          while (next < inputs.length && underWay.length < ahead) {
            const order = { shared, files, input: inputs.at(next++) };
            const result = threads.run(task, order, AbortSignal.any([signal, ending.signal]));
            // Errors surface when its turn comes.
            result.catch(() => undefined);
            underWay.push(result as Promise<O>);
          }
          yield await underWay.shift()!.catch((error: unknown) => {
            throwIfCancelled(signal);
            throw error;
          });
        }
      } finally {
        ending.abort();
      }
    },
    [Symbol.asyncDispose]: () => threads.close(),
  };
}
