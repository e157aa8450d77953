import { constants, deflateSync } from "node:zlib";
import { release } from "@stipple/numerics/release";
import { GAP_BYTES, type ChunkBatch, type CompressedBatch } from "./compress-task.ts";

let planes = new Uint8Array(0);

/** Runs in a worker thread. */
export default function work(
  _shared: object,
  { room, chunkBytes, areSearched }: ChunkBatch,
): CompressedBatch {
  if (planes.length !== chunkBytes) planes = new Uint8Array(chunkBytes);
  let at = 0;
  const lengths = areSearched.map((isSearched, i) => {
    const from = room.byteOffset + GAP_BYTES + i * chunkBytes;
    shuffle(new Uint32Array(room.buffer, from, chunkBytes / 4), planes);
    const strategy = isSearched ? constants.Z_DEFAULT_STRATEGY : constants.Z_RLE;
    // Large enough for the usual result, which Node would otherwise assemble from pieces of 16 kB.
    const part = deflateSync(planes, { level: 1, strategy, chunkSize: chunkBytes / 2 });
    const { length } = part;
    room.set(part, at);
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
