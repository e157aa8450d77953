import { CHUNK_BYTES } from "@stipple/contract";

/** Chunks that are held in memory at a time; further ones go through a file. */
const MAX_BUFFERS = 8;

/** A chunk's bytes as they arrive. The memory is used again for the next chunk once it is disposed of. */
export interface ChunkMemory extends Disposable {
  /** Appends bytes. Any beyond the size of a chunk are counted and dropped. */
  add(bytes: Uint8Array): void;
  bytes(): Uint8Array;
}

const free: Buffer[] = [];
let made = 0;

/** Memory for one chunk; null when all is in use. */
export function takeChunkMemory(): ChunkMemory | null {
  if (free.length === 0 && made === MAX_BUFFERS) return null;
  let buffer = free.pop();
  if (!buffer) {
    buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    made += 1;
  }
  const memory = buffer;
  let filled = 0;
  let isTaken = true;
  return {
    add(bytes) {
      const room = Math.min(bytes.length, CHUNK_BYTES - filled);
      memory.set(room === bytes.length ? bytes : bytes.subarray(0, room), filled);
      filled += room;
    },
    bytes: () => memory.subarray(0, filled),
    [Symbol.dispose]() {
      if (isTaken) free.push(memory);
      isTaken = false;
    },
  };
}
