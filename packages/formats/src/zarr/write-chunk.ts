import { defineTask } from "@stipple/tasks/task";
import { writeFileSync } from "node:fs";
import { release } from "@stipple/numerics/release";
import { constants, zstdCompressSync } from "node:zlib";

/** A chunk of a Zarr array. */
export interface ZarrChunk {
  /** In an existing folder. */
  file: string;
  /** In memory that threads share; must not change until the task is done. */
  bytes: Uint8Array;
}

/** Runs in a worker thread. */
export function writeHere(_shared: object, { file, bytes }: ZarrChunk): object {
  const compressed = compress(bytes);
  writeFileSync(file, compressed);
  release(compressed);
  return {};
}

/** Compresses chunks and writes each to its file. */
export const writeZarrChunk = defineTask(import.meta.url, writeHere);

const OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  // By default, Node would assemble the result from pieces of 16 kB.
  chunkSize: 1 << 20,
};

/** Zstandard, level 1. */
export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, OPTIONS);
}
