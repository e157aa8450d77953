import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { chunkHash } from "./chunk-hash.ts";
import { failureKind, MAX_RETRIES, retryWaitMs } from "./retry.ts";
import { sendFile, type UploadTransport } from "./send-file.ts";

/** The upload of one file into one slot, as the page shows it. */
export interface Upload {
  key: string;
  projectId: string;
  slotId: string;
  fileName: string;
  totalBytes: number;
  sentBytes: number;
  state: "waiting" | "sending" | "paused" | "verifying" | "done" | "failed";
  /** Why it is paused: no network, or the session has ended. */
  pausedBy?: "offline" | "session";
  /** Which retry of the current chunk is in progress, 1–5; absent while all is well. */
  retry?: number;
  bytesPerSecond?: number;
  /** The failure, without the leading 'Error uploading …'; during retries, the server's last message. */
  error?: string;
  /** The server's remark about a file that it accepted. */
  warning?: string;
}

export interface UploadClock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Whether the network is available, and notification when it comes back. */
export interface Connection {
  isOnline(): boolean;
  onOnline(listener: () => void): () => void;
}

export interface UploadEngine {
  /** Starts (or restarts) uploading `file` into `slot`. Resolves when the upload ends, successfully or not. */
  add(projectId: string, slot: UploadSlot, file: File): Promise<void>;
  retry(key: string): void;
  cancel(key: string): void;
  /** Call after a new sign-in: uploads paused by a 401 continue. */
  resumeSession(): void;
  snapshot(): ReadonlyMap<string, Upload>;
  subscribe(listener: () => void): () => void;
  /** Calls back once for each upload that is done or has failed. */
  onEnd(listener: (upload: Upload) => void): () => void;
}

export function uploadKey(projectId: string, slotId: string): string {
  return `${projectId}/${slotId}`;
}

/** Whether closing the page now would interrupt this upload. */
export function isUnderWay(upload: Upload): boolean {
  return upload.state !== "done" && upload.state !== "failed";
}

interface Job {
  slot: UploadSlot;
  file: File;
  abort: AbortController;
}

/**
 * Sends `parallel` files at a time, each in chunks (see `sendFile`). Lives outside the page, so that navigating within
 * the app does not interrupt uploads.
 */
export function createUploadEngine(
  transport: UploadTransport,
  clock: UploadClock,
  connection: Connection,
  hash: (bytes: Blob) => Promise<string> = chunkHash,
  parallel = 3,
): UploadEngine {
  let uploads: ReadonlyMap<string, Upload> = new Map();
  const jobs = new Map<string, Job>();
  const listeners = new Set<() => void>();
  const endListeners = new Set<(upload: Upload) => void>();
  const sessionWaiters = new Set<() => void>();
  const turnWaiters: (() => void)[] = [];
  let active = 0;

  function publish(next: ReadonlyMap<string, Upload>): void {
    uploads = next;
    for (const listener of listeners) listener();
  }

  function change(key: string, job: Job, part: Partial<Upload>): void {
    const current = uploads.get(key);
    // Ignore reports from a job that was replaced or canceled.
    if (!current || jobs.get(key) !== job) return;
    publish(new Map(uploads).set(key, { ...current, ...part }));
  }

  async function untilTurn(): Promise<void> {
    if (active >= parallel) await new Promise<void>((resolve) => turnWaiters.push(resolve));
    else active += 1;
  }

  function giveTurn(): void {
    const next = turnWaiters.shift();
    if (next) next();
    else active -= 1;
  }

  async function untilResumed(key: string, job: Job, by: "offline" | "session"): Promise<void> {
    const now = uploads.get(key)?.state ?? "sending";
    // Another chunk may wait already.
    const before = now === "paused" ? "sending" : now;
    change(key, job, { state: "paused", pausedBy: by });
    await new Promise<void>((resolve, reject) => {
      const stop =
        by === "offline"
          ? connection.onOnline(finish)
          : (sessionWaiters.add(finish), () => sessionWaiters.delete(finish));
      function finish(): void {
        stop();
        job.abort.signal.removeEventListener("abort", cancelled);
        resolve();
      }
      function cancelled(): void {
        stop();
        reject(job.abort.signal.reason as Error);
      }
      job.abort.signal.addEventListener("abort", cancelled, { once: true });
    });
    change(key, job, { state: before });
    clear(key, job, "pausedBy");
  }

  function clear(
    key: string,
    job: Job,
    field: "pausedBy" | "retry" | "error" | "bytesPerSecond",
  ): void {
    const current = uploads.get(key);
    if (!current || jobs.get(key) !== job || current[field] === undefined) return;
    const { [field]: _dropped, ...rest } = current;
    publish(new Map(uploads).set(key, rest));
  }

  /**
   * Runs one request. Waits for sign-ins and the network without limit; retries other temporary failures up to five
   * times.
   */
  async function persist<T>(key: string, job: Job, request: () => Promise<T>): Promise<T> {
    for (let retries = 0; ;) {
      try {
        const answer = await request();
        clear(key, job, "retry");
        clear(key, job, "error");
        return answer;
      } catch (error) {
        job.abort.signal.throwIfAborted();
        if (error instanceof DOMException && error.name === "NotReadableError") throw error;
        const { status, code } = error as { status?: number; code?: string };
        const kind = failureKind(status, code);
        if (kind === "final") throw error;
        if (kind === "session") await untilResumed(key, job, "session");
        else if (!connection.isOnline()) await untilResumed(key, job, "offline");
        else {
          retries += 1;
          if (retries > MAX_RETRIES) throw error;
          const answered = status ? { error: failureText(error) } : {};
          change(key, job, { retry: retries, ...answered });
          await clock.wait(retryWaitMs(retries, Math.random()), job.abort.signal);
        }
      }
    }
  }

  async function run(key: string, projectId: string, job: Job): Promise<void> {
    await untilTurn();
    try {
      job.abort.signal.throwIfAborted();
      await sendFile({
        projectId,
        slot: job.slot,
        file: job.file,
        signal: job.abort.signal,
        transport,
        hash,
        now: clock.now,
        persist: (request) => persist(key, job, request),
        report: (part) => change(key, job, part),
      });
      change(key, job, { state: "done", sentBytes: job.file.size });
    } catch (error) {
      if (job.abort.signal.aborted) return;
      change(key, job, { state: "failed", error: failureText(error) });
    } finally {
      giveTurn();
    }
    clear(key, job, "bytesPerSecond");
    const ended = uploads.get(key);
    if (ended && jobs.get(key) === job) for (const listener of endListeners) listener(ended);
  }

  function add(projectId: string, slot: UploadSlot, file: File): Promise<void> {
    const key = uploadKey(projectId, slot.id);
    jobs.get(key)?.abort.abort();
    const job: Job = { slot, file, abort: new AbortController() };
    jobs.set(key, job);
    publish(
      new Map(uploads).set(key, {
        key,
        projectId,
        slotId: slot.id,
        fileName: file.name,
        totalBytes: file.size,
        sentBytes: 0,
        state: "waiting",
      }),
    );
    return run(key, projectId, job);
  }

  return {
    add,
    retry(key) {
      const job = jobs.get(key);
      const upload = uploads.get(key);
      if (job && upload?.state === "failed") void add(upload.projectId, job.slot, job.file);
    },
    cancel(key) {
      jobs.get(key)?.abort.abort();
      jobs.delete(key);
      const rest = new Map(uploads);
      rest.delete(key);
      publish(rest);
    },
    resumeSession() {
      for (const resume of [...sessionWaiters]) resume();
    },
    snapshot: () => uploads,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onEnd(listener) {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
  };
}

function failureText(error: unknown): string {
  if (error instanceof DOMException && error.name === "NotReadableError")
    return "The file was changed or moved after you chose it. Choose it again.";
  return error instanceof Error && error.message !== "" ? error.message : "Upload failed";
}
