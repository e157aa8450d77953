import { defineTask } from "../../engine/tasks/task.ts";

/** Bytes before the chunks: more than deflate adds to all of them where nothing can be taken away. */
export const GAP_BYTES = 4096;

/** Chunks of 4-byte values, behind {@link GAP_BYTES} one after the other. */
export interface ChunkBatch {
  /** In memory that threads share. The chunks become compressed ones, from the first byte on: nothing is handed over. */
  room: Uint8Array;
  chunkBytes: number;
  /** Of each chunk: whether it is searched for repetitions; else for runs alone. */
  areSearched: readonly boolean[];
}

/** The bytes of each compressed chunk. */
export interface CompressedBatch {
  lengths: readonly number[];
}

/** Shuffles and compresses chunks. */
export const compressChunks = defineTask<object, ChunkBatch, CompressedBatch>(
  "compress-chunks",
  new URL("./compress-worker.ts", import.meta.url),
);
