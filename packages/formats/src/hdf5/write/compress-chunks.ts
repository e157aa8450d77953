import { defineTask } from "@stipple/tasks/task";
import { constants, deflateSync } from "node:zlib";
import { release } from "@stipple/numerics/release";

/** Bytes before the chunks: more than deflate adds to all of them if they are incompressible. */
export const GAP_BYTES = 4096;

/** Chunks of 4-byte values, one after another behind {@link GAP_BYTES}. */
export interface ChunkBatch {
  /**
   * In memory that threads share. The compressed chunks overwrite it from the first byte on: nothing is transferred.
   */
  buffer: Uint8Array;
  chunkBytes: number;
  /** For each chunk: whether to search for repetitions, rather than for runs alone. */
  areSearched: readonly boolean[];
}

/** Bytes of each compressed chunk. */
export interface CompressedBatch {
  lengths: readonly number[];
}

let planes = new Uint8Array(0);

/** Runs in a worker thread. */
export function compressHere(
  _shared: object,
  { buffer, chunkBytes, areSearched }: ChunkBatch,
): CompressedBatch {
  if (planes.length !== chunkBytes) planes = new Uint8Array(chunkBytes);
  let at = 0;
  const lengths = areSearched.map((isSearched, i) => {
    const from = buffer.byteOffset + GAP_BYTES + i * chunkBytes;
    shuffle(new Uint32Array(buffer.buffer, from, chunkBytes / 4), planes);
    const strategy = isSearched ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE;
    // Large enough for the usual result, which Node would otherwise assemble from pieces of 16 kB.
    const part = deflateSync(planes, { level: 1, strategy, chunkSize: chunkBytes / 2 });
    const { length } = part;
    buffer.set(part, at);
    at += length;
    release(part);
    return length;
  });
  return { lengths };
}

/** HDF5's shuffle filter: the first bytes of all values, then the second bytes, and so on. */
function shuffle(words: Uint32Array, out: Uint8Array): void {
  const n = words.length;
  for (let i = 0; i < n; i++) {
    const word = words[i];
    out[i] = word;
    out[n + i] = word >>> 8;
    out[2 * n + i] = word >>> 16;
    out[3 * n + i] = word >>> 24;
  }
}

/** Shuffles and compresses chunks. */
export const compressChunks = defineTask(import.meta.url, compressHere);
