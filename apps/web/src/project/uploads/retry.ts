import type { ErrorCode } from "@stipple/contract/errors/catalog";

/** Times a failed chunk is sent again before the upload gives up. */
export const MAX_RETRIES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Delay before retry number `retry` (from 1), in ms: 1, 2, 4, 8, 16 s, each extended by up to a quarter so that
 * parallel uploads do not retry in lockstep. `random` is 0 ≤ r < 1.
 */
export function retryWaitMs(retry: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (retry - 1));
  return Math.round(wait * (1 + random / 4));
}

/** What a failed request means for the upload: wait for a new session, send again later, or give up. */
export type FailureKind = "session" | "temporary" | "final";

/** Classifies by HTTP status (0 or undefined = no response) and by the error catalog's code. */
export function failureKind(status: number | undefined, code?: string): FailureKind {
  if (status === 401) return "session";
  if (status === undefined || status === 0 || status === 408 || status === 425 || status === 429)
    return "temporary";
  // The bytes were damaged in transit; a retry may succeed.
  if (code === ("upload_chunk_damaged" satisfies ErrorCode)) return "temporary";
  // 507 (disk full) does not clear within seconds; the user has to act.
  if (status >= 500 && status !== 507) return "temporary";
  return "final";
}
