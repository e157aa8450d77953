import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { chunkHash } from "./chunk-hash.ts";
import { failureText, persist, type Connection, type UploadClock } from "./persist.ts";
import { sendFile, type UploadTransport } from "./send-file.ts";
import { uploadKey, type Upload } from "./upload.ts";

/** Files that are sent at a time. */
const PARALLEL = 3;

interface Job {
  slot: UploadSlot;
  file: File;
  abort: AbortController;
}

/**
 * Sends several files at a time, each in chunks (see `sendFile`). Lives outside the page, so that navigating within
 * the app does not interrupt uploads.
 */
export class UploadEngine {
  readonly #transport: UploadTransport;
  readonly #clock: UploadClock;
  readonly #connection: Connection;
  readonly #hash: (bytes: Blob) => Promise<string>;
  readonly #turns = takeTurns();
  readonly #list = new UploadList();
  readonly #jobs = new Map<string, Job>();
  readonly #sessionWaiters = new Set<() => void>();
  readonly #endListeners = new Set<(upload: Upload) => void>();
  readonly snapshot = this.#list.snapshot;
  readonly subscribe = this.#list.subscribe;

  constructor(
    transport: UploadTransport,
    clock: UploadClock,
    connection: Connection,
    hash: (bytes: Blob) => Promise<string> = chunkHash,
  ) {
    this.#transport = transport;
    this.#clock = clock;
    this.#connection = connection;
    this.#hash = hash;
  }

  /** Starts (or restarts) uploading `file` into `slot`. Resolves when the upload ends, successfully or not. */
  add(projectId: string, slot: UploadSlot, file: File): Promise<void> {
    const key = uploadKey(projectId, slot.id);
    this.#jobs.get(key)?.abort.abort();
    const job: Job = { slot, file, abort: new AbortController() };
    this.#jobs.set(key, job);
    const { name: fileName, size: totalBytes } = file;
    const about = { key, projectId, fileName, totalBytes };
    this.#list.set({ ...about, sentBytes: 0, state: "waiting" });
    return this.#run(key, projectId, job);
  }

  retry(key: string): void {
    const job = this.#jobs.get(key);
    const upload = this.snapshot().get(key);
    if (job && upload?.state === "failed") void this.add(upload.projectId, job.slot, job.file);
  }

  cancel(key: string): void {
    this.#jobs.get(key)?.abort.abort();
    this.#jobs.delete(key);
    this.#list.delete(key);
  }

  /** Call after a new sign-in: uploads paused by a 401 continue. */
  resumeSession(): void {
    for (const resume of [...this.#sessionWaiters]) resume();
  }

  /** Calls back once for each upload that is done or has failed. */
  onEnd(listener: (upload: Upload) => void): void {
    this.#endListeners.add(listener);
  }

  async #run(key: string, projectId: string, job: Job): Promise<void> {
    const { slot, file } = job;
    const { signal } = job.abort;
    // Reports from a job that was replaced or canceled are ignored.
    const isCurrent = (): boolean => this.#jobs.get(key) === job;
    const change = (part: Partial<Upload>): void => {
      if (isCurrent()) this.#list.change(key, part);
    };
    const retryContext = {
      clock: this.#clock,
      connection: this.#connection,
      onSession: (listener: () => void) => {
        this.#sessionWaiters.add(listener);
        return () => this.#sessionWaiters.delete(listener);
      },
      signal,
      state: () => this.snapshot().get(key)?.state,
      change,
    };
    await this.#turns.begin();
    try {
      signal.throwIfAborted();
      await sendFile({
        projectId,
        slot,
        file,
        signal,
        transport: this.#transport,
        hash: this.#hash,
        now: this.#clock.now,
        persist: (request) => persist(retryContext, request),
        report: change,
      });
      change({ state: "done", sentBytes: file.size });
    } catch (error) {
      if (signal.aborted) return;
      change({ state: "failed", error: failureText(error) });
    } finally {
      this.#turns.end();
    }
    change({ bytesPerSecond: undefined });
    const ended = this.snapshot().get(key);
    if (ended && isCurrent()) for (const listener of this.#endListeners) listener(ended);
  }
}

/** Lets `PARALLEL` of those who ask work at a time, in the order in which they ask. */
function takeTurns(): { begin(): Promise<void>; end(): void } {
  const waiting: (() => void)[] = [];
  let active = 0;
  return {
    async begin() {
      if (active >= PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve));
      else active += 1;
    },
    end() {
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    },
  };
}

/** All uploads by key, for pages to follow; each change replaces the map. */
class UploadList {
  #uploads: ReadonlyMap<string, Upload> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly snapshot = (): ReadonlyMap<string, Upload> => this.#uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(upload: Upload): void {
    this.#publish(new Map(this.#uploads).set(upload.key, upload));
  }

  /** Changes fields of an upload; those that become undefined no longer hold. */
  change(key: string, part: Partial<Upload>): void {
    const upload = this.#uploads.get(key);
    if (!upload) return;
    const changed = { ...upload, ...part };
    const isSame = (Object.keys(part) as (keyof Upload)[]).every(
      (field) => changed[field] === upload[field],
    );
    if (!isSame) this.set(changed);
  }

  delete(key: string): void {
    const rest = new Map(this.#uploads);
    rest.delete(key);
    this.#publish(rest);
  }

  #publish(uploads: ReadonlyMap<string, Upload>): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
