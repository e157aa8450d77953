import { defineTask } from "@stipple/tasks/task";
import { writeFileSync } from "node:fs";
import { release } from "@stipple/numerics/release";
import { compress } from "./zstandard.ts";

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
