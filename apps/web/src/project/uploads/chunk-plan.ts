import { CHUNK_BYTES } from "@stipple/contract/platforms/upload-slot";

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
  /** Hex SHA-256 of each chunk of `received`, in its order; absent or empty where the server does not know. */
  sha256?: string[];
}

/**
 * The chunks to send, in order; none if the server has the whole file. `isThere` compares the contents of a chunk that
 * the server holds under the file's name, since a different file may have the same name and number of chunks. A chunk
 * that differs is sent first: it makes the server start the file over, before chunks of the other file can fill the
 * gaps in this one.
 */
export async function chunksToSend(
  server: ServerChunks | null,
  file: { name: string; size: number },
  isThere: (chunk: Chunk, sha256: string | undefined) => Promise<boolean>,
): Promise<Chunk[]> {
  const plan = chunkPlan(file.size);
  const sameName = server?.file_name === file.name && server.chunks === plan.length;
  if (!sameName) return plan;
  const hashes = new Map(server.received.map((index, at) => [index, server.sha256?.[at]]));
  const held = plan.filter(({ index }) => hashes.has(index));
  const missing = plan.filter(({ index }) => !hashes.has(index));
  for (const chunk of held) {
    if (await isThere(chunk, hashes.get(chunk.index))) continue;
    return [chunk, ...held.filter((other) => other !== chunk), ...missing];
  }
  // All chunks of an incomplete file: the server is waiting for confirmation that they belong together.
  return missing.length === 0 && !server.complete ? plan.slice(-1) : missing;
}
