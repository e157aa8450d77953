import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { H5File, openLibrary, type Library } from "./library.ts";
import { maxUnpackedTable } from "../limits.ts";

/** An open file and a function to close it. */
export interface OpenH5 {
  h5: H5File;
  close: () => void;
}

/** Files open for reading, by absolute path: how many times, and their size in bytes. */
const reading = new Map<string, { times: number; size: number }>();

/** Allowance for HDF5's own caches and tables. */
const MEMORY_BESIDE = 128 * 2 ** 20;
const PAGE = 65_536;
/** Permission denied, as a WASI error number. */
const DENIED = 2;
const ACCESS_MODE = 3;

/**
 * Opens a user's HDF5 file for reading. While it is open, HDF5 can read no other file, because links and
 * datasets may declare any file on this machine as their content.
 */
export async function openGuarded(path: string): Promise<OpenH5> {
  guard(await openLibrary());
  const whole = resolve(path);
  const { size } = await stat(whole);
  const times = reading.get(whole)?.times ?? 0;
  reading.set(whole, { times: times + 1, size });
  const forget = (): void => {
    const others = reading.get(whole)!.times - 1;
    if (others > 0) reading.set(whole, { times: others, size });
    else reading.delete(whole);
  };
  try {
    const h5 = new H5File(whole, "r");
    const close = (): void => {
      try {
        h5.close();
      } catch {
        // Closing a damaged file may fail. Nothing was written, and any problem has already been reported.
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

function guard(library: Library): void {
  if (guarded) return;
  guarded = true;
  limitMemory(library);
  const files = library.FS;
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
 * A damaged string length makes HDF5 request gigabytes. When memory growth fails, it gives up, and stays
 * unusable in this thread.
 */
function limitMemory(library: Library): void {
  const { prototype } = (globalThis as unknown as WasmGlobal).WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WasmMemory, pages: number) {
    const isOurs = this.buffer === library.HEAPU8.buffer;
    const sizes = [...reading.values()].map(({ size }) => maxUnpackedTable(size));
    const most = sizes.reduce((sum, bytes) => sum + bytes, MEMORY_BESIDE);
    if (isOurs && reading.size > 0 && this.buffer.byteLength + pages * PAGE > most) {
      throw new RangeError(`HDF5 asks for more than ${most} bytes`);
    }
    return grow.call(this, pages);
  };
}

interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}
interface WasmGlobal {
  WebAssembly: { Memory: { prototype: WasmMemory } };
}
