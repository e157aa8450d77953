import { Worker } from "node:worker_threads";
import { openGuarded, type OpenH5 } from "./guard.ts";
import { type Dataset, Group } from "./library.ts";
import { maxUnpackedTable } from "../limits.ts";

/** Maximum CPU time for traversing a file; typical files take a tenth. */
const MAX_CPU_MS = 3_000;
const POLL_MS = 200;

/**
 * Opens a user's HDF5 file for reading, after checking it in a separate thread: HDF5 loops forever on some
 * damaged files and is left unusable by others. Throws an Error for such a file. While the file is open, HDF5
 * reads no other.
 */
export async function openH5(path: string): Promise<OpenH5> {
  await lookThrough(path);
  return openGuarded(path);
}

let keeps = false;
let kept: Worker | null = null;

/** Reuses one thread to check file after file until one fails; for callers that open thousands of files. */
export function keepLookThread(): void {
  keeps = true;
}

async function lookThrough(path: string): Promise<void> {
  const thread =
    kept ?? new Worker(new URL("./look.ts", import.meta.url), { stderr: true, stdout: true });
  const before = kept ? await cpuMs(thread) : 0;
  kept = null;
  const over = Promise.withResolvers<void>();
  const watch = setInterval(() => {
    cpuMs(thread).then(
      (now) => {
        if (now - before > MAX_CPU_MS) over.reject(new Error("HDF5 does not come to an end"));
      },
      // The thread has ended in the meantime, which is reported separately.
      () => undefined,
    );
  }, POLL_MS);
  const exited = (code: number): void => over.reject(new Error(`HDF5 ended with ${code}`));
  thread.once("message", over.resolve);
  thread.once("error", over.reject);
  thread.once("exit", exited);
  thread.postMessage(path);
  try {
    await over.promise;
    thread.off("error", over.reject).off("exit", exited);
    if (keeps) kept = thread;
  } finally {
    clearInterval(watch);
    if (kept !== thread) await thread.terminate();
  }
}

async function cpuMs(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  // Times are in microseconds.
  return (user + system) / 1000;
}

/**
 * The item at a path under a group; null if there is none. Only names listed by the groups are requested,
 * because in a damaged file HDF5 may search forever for any other.
 */
export function itemAt(group: Group, path: string): unknown {
  let item: unknown = group;
  for (const name of path.split("/")) {
    if (!(item instanceof Group) || !item.keys().includes(name)) return null;
    item = item.get(name);
  }
  return item;
}

/**
 * The reason why a dataset must not be read: it or one of its chunks would decompress to far more than tables
 * do, or its content is in other files. Null if it can be read. `size`: bytes of the file.
 */
export function faultOfDataset({ metadata }: Dataset, size: number): string | null {
  const { shape, chunks, virtual_sources: elsewhere } = metadata;
  if (elsewhere && elsewhere.length > 0) return "refers to content in other files";
  const most = maxUnpackedTable(size);
  const largest = Math.max(...[shape, chunks].map((lengths) => bytesOf(lengths, metadata.size)));
  return largest <= most ? null : `would decompress to ${largest} bytes from a file of ${size}`;
}

/** Bytes of an array of `size` bytes per element. */
export function bytesOf(lengths: readonly number[] | null, size: number): number {
  return (lengths ?? []).reduce((product, length) => product * length, size);
}
