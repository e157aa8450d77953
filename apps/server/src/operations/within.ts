import { setTimeout as sleep } from "node:timers/promises";

/** No response within the time limit. */
export class LateError extends Error {
  override readonly name = "LateError";
}

/** The result of `work`, or a LateError if it takes longer than `ms`. The work itself continues. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const isOver = new AbortController();
  const late = sleep(ms, undefined, { signal: isOver.signal }).then(() => {
    throw new LateError(`No response within ${ms / 1000} s.`);
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
