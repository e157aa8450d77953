import { failureKind, MAX_RETRIES, retryWaitMs } from "./retry.ts";
import type { Upload } from "./upload.ts";

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
export interface Patience {
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
export async function persist<T>(patience: Patience, request: () => Promise<T>): Promise<T> {
  const { clock, connection, signal, change } = patience;
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
      if (kind === "session") await untilResumed(patience, "session");
      else if (!connection.isOnline()) await untilResumed(patience, "offline");
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

async function untilResumed(patience: Patience, by: "offline" | "session"): Promise<void> {
  const { connection, onSession, signal, change } = patience;
  const now = patience.state() ?? "sending";
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
