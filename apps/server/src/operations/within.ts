import { setTimeout as sleep } from "node:timers/promises";

/** Someone who was asked has not answered in time. */
export class LateError extends Error {
  override readonly name = "LateError";
}

/** What `work` gives, or a LateError when that takes longer than `ms`. The work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const isOver = new AbortController();
  const late = sleep(ms, undefined, { signal: isOver.signal }).then(() => {
    throw new LateError(`No response within ${ms / 1000} s.`);
  });
  // Whichever comes second is not heard.
  late.catch(() => undefined);
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    isOver.abort();
  }
}
