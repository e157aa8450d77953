import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import h5wasm, { File as H5File } from "h5wasm/node";
import { mostUnpackedTable } from "./limits.ts";

/** An open file, and how to close it. */
export interface OpenH5 {
  h5: H5File;
  close: () => void;
}

/** Files that are open for reading, by their whole paths: how often, and their bytes. */
const reading = new Map<string, { times: number; size: number }>();

interface FileSystem {
  write(
    stream: { fd: number },
    bytes: Uint8Array,
    offset: number,
    length: number,
    at?: number,
  ): number;
  open(path: string, flags: number | string, ...rest: unknown[]): unknown;
  ErrnoError: new (errno: number) => Error;
}
interface Library {
  FS: FileSystem;
  HEAPU8: Uint8Array;
}
/** HDF5's own caches and tables. */
const MEMORY_BESIDE = 128 * 2 ** 20;
const PAGE = 65_536;
/** Permission denied, by WASI's numbers. */
const DENIED = 2;
const ACCESS_MODE = 3;
const STANDARD_ERROR = 2;

/**
 * Opens a person's HDF5 file for reading. While it is open, HDF5 reads no other file: links and datasets may name any file
 * of this machine as their own content.
 */
export async function openGuarded(path: string): Promise<OpenH5> {
  const module = await h5wasm.ready;
  guard(module as unknown as Library);
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
        // A damaged file may not close. Nothing was written, and what was to be said of it has been said.
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
  // HDF5 prints a stack of its own errors in addition to our sentence. Its handler that throws them leaves it unusable for
  // the files after this one (h5wasm 0.10.3).
  const write = files.write.bind(files);
  files.write = (stream, bytes, offset, length, at) =>
    stream.fd === STANDARD_ERROR && reading.size > 0
      ? length
      : write(stream, bytes, offset, length, at);
}

/** A damaged length of a text has HDF5 ask for gigabytes. Told that there are none, it gives up, here for good. */
function limitMemory(library: Library): void {
  const { prototype } = (globalThis as unknown as WasmGlobal).WebAssembly.Memory;
  const { grow } = prototype;
  prototype.grow = function (this: WasmMemory, pages: number) {
    const isOurs = this.buffer === library.HEAPU8.buffer;
    const sizes = [...reading.values()].map(({ size }) => mostUnpackedTable(size));
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
