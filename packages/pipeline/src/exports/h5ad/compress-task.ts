import { defineTask } from "../../engine/tasks/task.ts";

/** Chunks of {@link CHUNK} 4-byte values, one after the other. */
export interface ChunkBatch {
  words: Uint32Array;
  /** Of each chunk: whether its values are floats. */
  areFloats: readonly boolean[];
}

/** The same compressed, one after the other, and the bytes of each. */
export interface CompressedBatch {
  bytes: Uint8Array;
  lengths: readonly number[];
}

/** Shuffles and compresses chunks. */
export const compressChunks = defineTask<object, ChunkBatch, CompressedBatch>(
  "compress-chunks",
  new URL("./compress-worker.ts", import.meta.url),
);
