import { setTimeout as sleep } from "node:timers/promises";

/** No response within the time limit. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** The result of `work`, or a TimeoutError if it takes longer than `ms`. The work itself continues. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const isOver = new AbortController();
  const late = sleep(ms, undefined, { signal: isOver.signal }).then(() => {
    throw new TimeoutError(`No response within ${ms / 1000} s.`);
  });
  // Whichever settles second is ignored.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    isOver.abort();
  }
}
