import type { UploadSlot } from "@stipple/contract/upload-slots";
import { chunkPlan, chunksToKeep, type ServerChunks } from "./chunk-plan.ts";
import { failureKind, MAX_RETRIES, retryWaitMs } from "./retry.ts";
import { speedMeter } from "./speed.ts";

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
  /** Which retry of the current chunk is under way, 1–5; absent while all is well. */
  retry?: number;
  bytesPerSecond?: number;
  /** What went wrong, without the 'Error uploading …' before it. */
  error?: string;
  /** The server's remark about a file that it accepted. */
  warning?: string;
}

export interface ChunkToSend {
  projectId: string;
  slot: UploadSlot;
  fileName: string;
  bytes: Blob;
  index: number;
  chunks: number;
  /** Called with the bytes of this chunk that have left so far. */
  onBytes: (sent: number) => void;
  signal: AbortSignal;
}

/** The HTTP boundary. Failures throw an error whose `status` is the HTTP status, or undefined when no answer arrived. */
export interface UploadTransport {
  received(projectId: string, slot: UploadSlot, signal: AbortSignal): Promise<ServerChunks>;
  send(chunk: ChunkToSend): Promise<{ complete: boolean; warning?: string | undefined }>;
}

export interface UploadClock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Whether the network is there, and word when it comes back. */
export interface Connection {
  isOnline(): boolean;
  onOnline(listener: () => void): () => void;
}

export interface UploadEngine {
  /** Starts (or starts over) the upload of `file` into `slot`. Resolves when it has ended, whichever way. */
  add(projectId: string, slot: UploadSlot, file: File): Promise<void>;
  retry(key: string): void;
  cancel(key: string): void;
  /** Word that somebody is signed in again: uploads paused by a 401 go on. */
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
 * Sends files in chunks, one chunk after the other within a file and `parallel` files at a time. Lives outside the page,
 * so that moving about in the app does not interrupt it.
 */
export function createUploadEngine(
  transport: UploadTransport,
  clock: UploadClock,
  connection: Connection,
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
    // A job that was replaced or cancelled has no say any more.
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
    const before = uploads.get(key)?.state ?? "sending";
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

  function clear(key: string, job: Job, field: "pausedBy" | "retry" | "bytesPerSecond"): void {
    const current = uploads.get(key);
    if (!current || jobs.get(key) !== job || current[field] === undefined) return;
    const { [field]: _dropped, ...rest } = current;
    publish(new Map(uploads).set(key, rest));
  }

  /** Runs one request; waits out sign-ins and network loss without counting them, other passing failures up to five times. */
  async function persist<T>(key: string, job: Job, request: () => Promise<T>): Promise<T> {
    for (let retries = 0; ;) {
      try {
        const answer = await request();
        clear(key, job, "retry");
        return answer;
      } catch (error) {
        job.abort.signal.throwIfAborted();
        if (error instanceof DOMException && error.name === "NotReadableError") throw error;
        const status = (error as { status?: number }).status;
        const kind = failureKind(status);
        if (kind === "final") throw error;
        if (kind === "session") await untilResumed(key, job, "session");
        else if (!connection.isOnline()) await untilResumed(key, job, "offline");
        else {
          retries += 1;
          if (retries > MAX_RETRIES) throw error;
          change(key, job, { retry: retries });
          await clock.wait(retryWaitMs(retries, Math.random()), job.abort.signal);
        }
      }
    }
  }

  async function send(key: string, projectId: string, job: Job): Promise<void> {
    const { slot, file } = job;
    const { signal } = job.abort;
    if (file.size === 0) throw new Error("The file is empty.");
    const plan = chunkPlan(file.size);
    const server = await persist(key, job, () => transport.received(projectId, slot, signal));
    const kept = chunksToKeep(server, file);
    let sentBytes = plan
      .filter(({ index }) => kept.has(index))
      .reduce((sum, { start, end }) => sum + end - start, 0);
    change(key, job, { state: "sending", sentBytes });
    const meter = speedMeter(sentBytes, clock.now());
    let missing = plan.filter(({ index }) => !kept.has(index));
    // A second pass: when a file replaces one that begins alike, the server may have taken the first chunks for repeats.
    for (let pass = 0; pass < 2; pass++) {
      for (const { index, start, end } of missing) {
        const before = sentBytes;
        const answer = await persist(key, job, () => {
          change(key, job, { state: "sending", sentBytes: before });
          return transport.send({
            projectId,
            slot,
            fileName: file.name,
            bytes: file.slice(start, end),
            index,
            chunks: plan.length,
            signal,
            onBytes(sent) {
              const total = Math.min(file.size, before + Math.min(sent, end - start));
              const bytesPerSecond = meter.note(total, clock.now());
              change(key, job, {
                sentBytes: total,
                state: total === file.size ? "verifying" : "sending",
                ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
              });
            },
          });
        });
        sentBytes = Math.min(file.size, sentBytes + end - start);
        change(key, job, {
          sentBytes,
          state: sentBytes === file.size ? "verifying" : "sending",
          ...(answer.warning === undefined ? {} : { warning: answer.warning }),
        });
      }
      const after = await persist(key, job, () => transport.received(projectId, slot, signal));
      if (after.complete) return;
      const there = chunksToKeep(after, file);
      missing = plan.filter(({ index }) => !there.has(index));
    }
    throw new Error("Parts of the file did not arrive. Please try again.");
  }

  async function run(key: string, projectId: string, job: Job): Promise<void> {
    await untilTurn();
    try {
      job.abort.signal.throwIfAborted();
      await send(key, projectId, job);
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
    return "The file has changed or was moved since it was chosen. Choose it again.";
  return error instanceof Error && error.message !== "" ? error.message : "Upload failed";
}
