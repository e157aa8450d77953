import { CancelledError, throwIfCancelled } from "../../errors.ts";

/** Who runs the tasks 0 … count − 1 of one call. */
export interface Runners<Output> {
  count: number;
  here: {
    /** Tasks under way at a time. */
    lanes: number;
    /** How many of these run at once; the others are queued so that no thread idles. */
    threads: number;
    run(index: number, signal: AbortSignal): Promise<Output>;
  };
  elsewhere: {
    /** Machines free now, if the rest takes this many seconds here. */
    free(secondsLeft: number): Promise<number>;
    /** How many tasks, each taking this many seconds, make one batch. */
    batchSize(secondsEach: number): number;
    /** Results in order; null where the batch was not done, for whatever reason. */
    run(
      indices: readonly number[],
      secondsEach: number,
      signal: AbortSignal,
    ): Promise<Output[] | null>;
  } | null;
}

/** Shortest interval between requests for other machines. */
const ASK_EVERY_MS = 2_000;

/**
 * Distributes tasks: the next free worker takes the next task. When none is left, local threads also run those in
 * progress elsewhere, so that a slow or dead machine holds nothing up; the first result counts, since both are
 * identical.
 */
export function shareOut<Output>(
  runners: Runners<Output>,
  options: { signal: AbortSignal; progress?: ((fraction: number) => void) | undefined },
): Promise<Output[]> {
  const { count, here, elsewhere } = runners;
  const results = new Array<Output>(count);
  const isDone = new Uint8Array(count);
  const isBegunHere = new Uint8Array(count);
  const waiting = Array.from({ length: count }, (_, i) => count - 1 - i);
  const away = new Set<{ indices: readonly number[]; controller: AbortController }>();
  /** Stops running tasks when the call fails or is canceled. */
  const failing = new AbortController();
  const started = performance.now();
  let done = 0;
  let doneHere = 0;
  let askedAt = -Infinity;
  let isOver = count === 0;

  return new Promise<Output[]>((resolve, reject) => {
    const cancel = (): void => end(() => reject(new CancelledError()));
    const end = (how: () => void): void => {
      if (isOver) return;
      isOver = true;
      options.signal.removeEventListener("abort", cancel);
      for (const { controller } of away) controller.abort();
      how();
      // Only after settling, so that an aborted task cannot settle it first.
      if (done < count) failing.abort();
    };

    function settle(index: number, result: Output): void {
      if (isDone[index] || isOver) return;
      isDone[index] = 1;
      results[index] = result;
      done++;
      options.progress?.(done / count);
      if (done === count) end(() => resolve(results));
    }

    /** The next task for a local thread: an unassigned one, else one running elsewhere. */
    function nextHere(): number | undefined {
      const fresh = waiting.pop();
      if (fresh !== undefined) return fresh;
      for (const { indices } of away) {
        const index = indices.findLast((each) => !isDone[each] && !isBegunHere[each]);
        if (index !== undefined) return index;
      }
      return undefined;
    }

    async function laneHere(): Promise<void> {
      for (let index = nextHere(); index !== undefined && !isOver; index = nextHere()) {
        isBegunHere[index] = 1;
        const result = await here.run(index, failing.signal);
        doneHere++;
        settle(index, result);
        void askElsewhere();
      }
    }

    const secondsEach = (): number =>
      ((performance.now() - started) / 1000) * (here.threads / doneHere);

    async function askElsewhere(): Promise<void> {
      if (!elsewhere || isOver || performance.now() - askedAt < ASK_EVERY_MS) return;
      askedAt = performance.now();
      const secondsLeft = (waiting.length * secondsEach()) / here.threads;
      const free = await elsewhere.free(secondsLeft).catch(() => 0);
      for (let lane = 0; lane < free; lane++) void laneElsewhere(free);
    }

    async function laneElsewhere(lanes: number): Promise<void> {
      while (!isOver && waiting.length > 0) {
        // Never so many that the others run out of work before this batch returns.
        const share = Math.ceil(waiting.length / (2 * (lanes + 1)));
        const size = Math.min(share, elsewhere!.batchSize(secondsEach()));
        const indices = waiting.splice(-size).reverse();
        const batch = { indices, controller: new AbortController() };
        away.add(batch);
        const found = await elsewhere!
          .run(indices, secondsEach(), batch.controller.signal)
          .catch(() => null);
        away.delete(batch);
        if (found) indices.forEach((index, i) => settle(index, found[i]));
        else {
          waiting.push(
            ...indices.filter((index) => !isDone[index] && !isBegunHere[index]).reverse(),
          );
          work();
          return;
        }
      }
    }

    let working = 0;
    /** Starts the missing local lanes. */
    function work(): void {
      for (; working < here.lanes && !isOver; working++) {
        laneHere()
          .catch((error: unknown) => end(() => reject(error as Error)))
          .finally(() => working--);
      }
    }

    if (isOver) return resolve(results);
    try {
      throwIfCancelled(options.signal);
    } catch (error) {
      return reject(error as Error);
    }
    options.signal.addEventListener("abort", cancel, { once: true });
    work();
  });
}
