import { constants, deflateSync } from "node:zlib";
import type { ChunkBatch, CompressedBatch } from "./compress-task.ts";

let planes = new Uint8Array(0);

/** Runs in a worker thread. */
export default function work(_shared: object, { words, areFloats }: ChunkBatch): CompressedBatch {
  const length = words.length / areFloats.length;
  const parts = areFloats.map((isFloat, i) => {
    if (planes.length !== 4 * length) planes = new Uint8Array(4 * length);
    shuffle(words.subarray(i * length, (i + 1) * length), planes);
    // In a plane of bytes of floats there is nothing to find but runs; indices and counts repeat.
    const strategy = isFloat ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
    // Room for the usual answer: Node would make it of pieces of 16 kB.
    return deflateSync(planes, { level: 1, strategy, chunkSize: 2 * length });
  });
  // Bytes of their own, which are handed over and not copied.
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, lengths: parts.map((part) => part.length) };
}

/** HDF5's shuffle filter: the first bytes of all values, then the second ones, and so on. */
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
