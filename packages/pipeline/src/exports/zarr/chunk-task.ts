import { defineTask } from "../../engine/tasks/task.ts";

/** A chunk of a Zarr array. */
export interface ZarrChunk {
  /** In an existing folder. */
  file: string;
  /** In memory that threads share; must not change until the task is done. */
  bytes: Uint8Array;
}

/** Compresses chunks and writes each to its file. */
export const writeZarrChunk = defineTask<object, ZarrChunk, object>(
  "write-zarr-chunk",
  new URL("./chunk-worker.ts", import.meta.url),
);
