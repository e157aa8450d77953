import { CHUNK_BYTES } from "@stipple/contract/upload-slots";

/** One piece of a file: bytes start ≤ b < end. */
export interface Chunk {
  index: number;
  start: number;
  end: number;
}

/** Cuts a file of `size` bytes into chunks of CHUNK_BYTES; only the last may be shorter. Empty for an empty file. */
export function chunkPlan(size: number): Chunk[] {
  return Array.from({ length: Math.ceil(size / CHUNK_BYTES) }, (_, index) => ({
    index,
    start: index * CHUNK_BYTES,
    end: Math.min(size, (index + 1) * CHUNK_BYTES),
  }));
}

/** What the server says it holds of a slot's file. */
export interface ServerChunks {
  file_name: string | null;
  received: number[];
  chunks: number | null;
  complete: boolean;
  size: number | null;
}

/**
 * The chunks that need not be sent again: those of an unfinished upload of the same file (same name, same number of
 * chunks, same size where the server knows it). A file that is complete on the server is replaced as a whole, because
 * the same name and size may hide other contents.
 */
export function chunksToKeep(
  server: ServerChunks,
  file: { name: string; size: number },
): ReadonlySet<number> {
  const plan = chunkPlan(file.size);
  const sameFile =
    server.file_name === file.name &&
    server.chunks === plan.length &&
    (server.size === null || server.size === file.size);
  if (server.complete || !sameFile) return new Set();
  return new Set(server.received.filter((index) => index >= 0 && index < plan.length));
}
