import { Worker } from "node:worker_threads";
import { type Dataset, Group } from "h5wasm/node";
import { openGuarded, type OpenH5 } from "./hdf5-guard.ts";
import { mostUnpackedTable } from "./limits.ts";

/** Time of a processor that a look through a file may take; a tenth is usual. */
const MOST_CPU_MS = 3_000;
const LOOK_EVERY_MS = 200;

/**
 * Opens a person's HDF5 file for reading, after checking it in a separate thread: HDF5 loops forever on some
 * damaged files and leaves itself unusable in others. Throws an Error for such a file. While the file is open, HDF5 reads
 * no other.
 */
export async function openH5(path: string): Promise<OpenH5> {
  await lookThrough(path);
  return openGuarded(path);
}

let keeps = false;
let kept: Worker | null = null;

/** Has one thread look through file after file, until one does not go well: for who opens thousands of them. */
export function keepLookThread(): void {
  keeps = true;
}

async function lookThrough(path: string): Promise<void> {
  const thread =
    kept ?? new Worker(new URL("./hdf5-look.ts", import.meta.url), { stderr: true, stdout: true });
  const before = kept ? await cpuMs(thread) : 0;
  kept = null;
  const over = Promise.withResolvers<void>();
  const watch = setInterval(() => {
    cpuMs(thread).then(
      (now) => {
        if (now - before > MOST_CPU_MS) over.reject(new Error("HDF5 does not come to an end"));
      },
      // The thread has ended meanwhile, and says how.
      () => undefined,
    );
  }, LOOK_EVERY_MS);
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
  // They are in microseconds.
  return (user + system) / 1000;
}

/**
 * What lies at a path below a group; null where nothing does. Only names that the groups list are asked for: HDF5 may look
 * for ever for another in a damaged file.
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
 * Why a dataset must not be read: it or one of its chunks would decompress to far more than tables do, or its content is in
 * other files. Null if nothing is wrong with it. `size`: bytes of the file.
 */
export function faultOfDataset({ metadata }: Dataset, size: number): string | null {
  const { shape, chunks, virtual_sources: elsewhere } = metadata;
  if (elsewhere && elsewhere.length > 0) return "refers to content in other files";
  const most = mostUnpackedTable(size);
  const bytes = (lengths: number[] | null): number =>
    (lengths ?? []).reduce((product, length) => product * length, metadata.size);
  const largest = Math.max(bytes(shape), bytes(chunks));
  return largest <= most ? null : `would decompress to ${largest} bytes from a file of ${size}`;
}
