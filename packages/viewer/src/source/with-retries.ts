import { isFinal } from "./source.ts";

/** Delays before the second and third attempts. */
const PAUSES_MS = [500, 2_000];

/**
 * Calls `ask` up to three times, because tile layers never retry a failed tile. Refusals and aborts are final. Rejects
 * with the last failure.
 */
export async function withRetries<Answer>(
  ask: () => Promise<Answer>,
  signal?: AbortSignal | null,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const pause = pausesMs[attempt];
      if (pause === undefined || signal?.aborted || isFinal(error)) throw error;
      await rest(pause, signal);
      signal?.throwIfAborted();
    }
  }
}

function rest(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((go) => {
    const timer = setTimeout(go, ms);
    const stop = () => {
      clearTimeout(timer);
      go();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
