import { ApiError } from "../../../app/api.ts";

/** Before the second and the third try. */
const PAUSES_MS = [500, 2_000];

/**
 * What `ask` gives, asked up to three times: those who draw tiles never ask again for one that failed. A refusal is an
 * answer, and what was aborted is not wanted anymore. Rejects with the last failure.
 */
export async function triedAgain<Answer>(
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

/** Whether asking again would lead to the same failure. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiError ? error.status < 500 : isAbort(error);
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
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
