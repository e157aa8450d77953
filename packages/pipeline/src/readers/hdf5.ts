import { Worker } from "node:worker_threads";
import type { Dataset } from "h5wasm/node";
import { openGuarded, type OpenH5 } from "./hdf5-guard.ts";
import { mostUnpackedTable } from "./limits.ts";

/** Time of a processor that a look through a file may take; a tenth is usual. */
const MOST_CPU_MS = 3_000;
const LOOK_EVERY_MS = 200;

/**
 * Opens a person's HDF5 file for reading, after a look through it in a thread of its own: HDF5 runs for ever in some
 * damaged files and leaves itself unusable in others. Throws an Error for such a file. While the file is open, HDF5 reads
 * no other.
 */
export async function openH5(path: string): Promise<OpenH5> {
  await lookThrough(path);
  return openGuarded(path);
}

function lookThrough(path: string): Promise<void> {
  const thread = new Worker(new URL("./hdf5-look.ts", import.meta.url), {
    workerData: path,
    stderr: true,
    stdout: true,
  });
  return new Promise<void>((resolve, reject) => {
    const watch = setInterval(() => {
      thread.cpuUsage().then(
        ({ user, system }) => {
          // In microseconds.
          if ((user + system) / 1000 > MOST_CPU_MS)
            reject(new Error("HDF5 does not come to an end"));
        },
        // The thread has ended meanwhile, and says how.
        () => undefined,
      );
    }, LOOK_EVERY_MS);
    thread.once("error", reject);
    thread.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`HDF5 ended with ${code}`));
    });
    const done = (): void => clearInterval(watch);
    thread.once("exit", done);
  }).finally(() => thread.terminate().then(() => undefined));
}

/**
 * Why a dataset is not to be read: it or one of its chunks would unpack to far more than tables do, or its content lies in
 * other files. Null where nothing speaks against it. `size`: bytes of the file.
 */
export function faultOfDataset({ metadata }: Dataset, size: number): string | null {
  const { shape, chunks, virtual_sources: elsewhere } = metadata;
  if (elsewhere && elsewhere.length > 0) return "takes its content from other files";
  const most = mostUnpackedTable(size);
  const bytes = (lengths: number[] | null): number =>
    (lengths ?? []).reduce((product, length) => product * length, metadata.size);
  const largest = Math.max(bytes(shape), bytes(chunks));
  return largest <= most ? null : `would unpack to ${largest} bytes from a file of ${size}`;
}
