import { setTimeout as sleep } from "node:timers/promises";

/** How long a restart of the storage may take. */
const TIMEOUT_MS = 10 * 60_000;

/**
 * Whether an error of S3's library, which notes its attempts in all of them, says that the server cannot be reached or
 * has too much to do: trying again later makes sense.
 */
export function isStorageAway(error: unknown): boolean {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  const { httpStatusCode: status = 503 } = $metadata ?? {};
  return $metadata !== undefined && (status >= 500 || status === 429);
}

/**
 * Runs `work`, and retries it while it fails because the storage is away, for ten minutes of waiting at most: a single
 * object that cannot be read may fail like that forever.
 */
export async function untilStorageAnswers<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(10_000, pauseMs * 2)) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        isStorageAway(error) || (error as NodeJS.ErrnoException).code === "ECONNRESET";
      if (!isPassing || (waitedMs += pauseMs) > TIMEOUT_MS) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
