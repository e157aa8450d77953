import { resolve } from "node:path";
import h5wasm, { type Dataset, File as H5File } from "h5wasm/node";
import { mostUnpackedTable } from "./limits.ts";

/** Files that are open for reading, by their whole paths. */
const reading = new Map<string, number>();

interface FileSystem {
  open(path: string, flags: number | string, ...rest: unknown[]): unknown;
  ErrnoError: new (errno: number) => Error;
}
/** Permission denied, by WASI's numbers. */
const DENIED = 2;
const ACCESS_MODE = 3;

/**
 * Opens a person's HDF5 file for reading. While it is open, HDF5 reads no other file: links and datasets may name any file
 * of this machine as their own content.
 */
export async function openH5(path: string): Promise<{ h5: H5File; close: () => void }> {
  const module = await h5wasm.ready;
  guard(module.FS as unknown as FileSystem);
  const whole = resolve(path);
  reading.set(whole, (reading.get(whole) ?? 0) + 1);
  const forget = (): void => {
    const others = reading.get(whole)! - 1;
    if (others > 0) reading.set(whole, others);
    else reading.delete(whole);
  };
  try {
    const h5 = new H5File(whole, "r");
    const close = (): void => {
      try {
        h5.close();
      } finally {
        forget();
      }
    };
    return { h5, close };
  } catch (error) {
    forget();
    throw error;
  }
}

let guarded = false;

function guard(files: FileSystem): void {
  if (guarded) return;
  guarded = true;
  const open = files.open.bind(files);
  files.open = (path, flags, ...rest) => {
    const forReading = flags === "r" || (typeof flags === "number" && (flags & ACCESS_MODE) === 0);
    if (forReading && reading.size > 0 && !reading.has(resolve(path))) {
      throw new files.ErrnoError(DENIED);
    }
    return open(path, flags, ...rest);
  };
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
