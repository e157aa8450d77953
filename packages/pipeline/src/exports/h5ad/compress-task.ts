import { defineTask } from "../../engine/tasks/task.ts";

/** Bytes before the chunks: more than deflate adds to all of them if they are incompressible. */
export const GAP_BYTES = 4096;

/** Chunks of 4-byte values, one after another behind {@link GAP_BYTES}. */
export interface ChunkBatch {
  /**
   * In memory that threads share. The compressed chunks overwrite it from the first byte on: nothing is transferred.
   */
  room: Uint8Array;
  chunkBytes: number;
  /** For each chunk: whether to search for repetitions, rather than for runs alone. */
  areSearched: readonly boolean[];
}

/** Bytes of each compressed chunk. */
export interface CompressedBatch {
  lengths: readonly number[];
}

/** Shuffles and compresses chunks. */
export const compressChunks = defineTask<object, ChunkBatch, CompressedBatch>(
  "compress-chunks",
  new URL("./compress-worker.ts", import.meta.url),
);
