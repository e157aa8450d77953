import type { Upload } from "./upload.ts";
import type { ErrorCode } from "@stipple/contract/errors/catalog";

/** Times a failed chunk is sent again before the upload gives up. */
const MAX_RETRIES = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export interface UploadClock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Whether the network is available, and notification when it comes back. */
export interface Connection {
  isOnline(): boolean;
  onOnline(listener: () => void): () => void;
}

/** What a request waits for, and the upload that says so. */
export interface RetryContext {
  clock: UploadClock;
  connection: Connection;
  /** Calls back after the next sign-in. */
  onSession(listener: () => void): () => void;
  signal: AbortSignal;
  state(): Upload["state"] | undefined;
  change(part: Partial<Upload>): void;
}

/**
 * Runs one request. Waits for sign-ins and the network without limit; retries other temporary failures up to five
 * times.
 */
export async function persist<T>(context: RetryContext, request: () => Promise<T>): Promise<T> {
  const { clock, connection, signal, change } = context;
  for (let retries = 0; ;) {
    try {
      const answer = await request();
      change({ retry: undefined, error: undefined });
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (isUnreadable(error)) throw error;
      const { status, code } = error as { status?: number; code?: string };
      const kind = failureKind(status, code);
      if (kind === "final") throw error;
      if (kind === "session") await untilResumed(context, "session");
      else if (!connection.isOnline()) await untilResumed(context, "offline");
      else {
        retries += 1;
        if (retries > MAX_RETRIES) throw error;
        const answered = status ? { error: failureText(error) } : {};
        change({ retry: retries, ...answered });
        await clock.wait(retryWaitMs(retries, Math.random()), signal);
      }
    }
  }
}

async function untilResumed(context: RetryContext, by: "offline" | "session"): Promise<void> {
  const { connection, onSession, signal, change } = context;
  const now = context.state() ?? "sending";
  // Another chunk may wait already.
  const before = now === "paused" ? "sending" : now;
  change({ state: "paused", pausedBy: by });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (): void => reject(signal.reason as Error);
  const stop = by === "offline" ? connection.onOnline(resolve) : onSession(resolve);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    await promise;
  } finally {
    stop();
    signal.removeEventListener("abort", cancel);
  }
  change({ state: before, pausedBy: undefined });
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "NotReadableError";

/** What the page says about a failure. */
export function failureText(error: unknown): string {
  if (isUnreadable(error))
    return "The file was changed or moved after you chose it. Choose it again.";
  return error instanceof Error && error.message !== "" ? error.message : "Upload failed";
}

/**
 * Delay before retry number `retry` (from 1), in ms: 1, 2, 4, 8, 16 s, each extended by up to a quarter so that
 * parallel uploads do not retry in lockstep. `random` is 0 ≤ r < 1.
 */
function retryWaitMs(retry: number, random: number): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (retry - 1));
  return Math.round(wait * (1 + random / 4));
}

/** What a failed request means for the upload: wait for a new session, send again later, or give up. */
type FailureKind = "session" | "temporary" | "final";

/** Classifies by HTTP status (0 or undefined = no response) and by the error catalog's code. */
function failureKind(status: number | undefined, code?: string): FailureKind {
  if (status === 401) return "session";
  if (status === undefined || status === 0 || status === 408 || status === 425 || status === 429)
    return "temporary";
  // The bytes were damaged in transit; a retry may succeed.
  if (code === ("upload_chunk_damaged" satisfies ErrorCode)) return "temporary";
  // 507 (disk full) does not clear within seconds; the user has to act.
  if (status >= 500 && status !== 507) return "temporary";
  return "final";
}
