import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { chunksToSend, type Chunk, type ServerChunks } from "./chunk-plan.ts";
import { sendChunks } from "./send-chunks.ts";
import type { Upload } from "./upload.ts";

export interface ChunkToSend {
  projectId: string;
  slot: UploadSlot;
  fileName: string;
  bytes: Blob;
  index: number;
  chunks: number;
  /** Hex SHA-256 of the bytes. */
  sha256: string;
  /** Only with the last chunk sent: the SHA-256 of the chunks' concatenated hex SHA-256s; empty before. */
  fileSha256: string;
  /** Called with the number of bytes of this chunk sent so far. */
  onBytes: (sent: number) => void;
  signal: AbortSignal;
}

/**
 * The HTTP boundary. Failures throw an error whose `status` is the HTTP status (undefined if no response arrived) and
 * whose `code` is the reason's name in the error catalog.
 */
export interface UploadTransport {
  /** What the server holds; null when it has no such call. */
  received(projectId: string, slot: UploadSlot, signal: AbortSignal): Promise<ServerChunks | null>;
  send(chunk: ChunkToSend): Promise<{ complete: boolean; warning?: string | undefined }>;
}

/** A file on its way, with what the engine does for it. */
export interface Sending {
  projectId: string;
  slot: UploadSlot;
  file: File;
  signal: AbortSignal;
  transport: UploadTransport;
  hash: (bytes: Blob) => Promise<string>;
  now: () => number;
  /** Makes a request until it succeeds or fails for good. */
  persist: <T>(request: () => Promise<T>) => Promise<T>;
  report: (part: Partial<Upload>) => void;
}

/** Maximum number of passes over a file until the server has all of it. */
const PASSES = 3;

export type Checksums = ReturnType<typeof checksums>;

/** Checksums of a file's chunks: each byte is hashed once, however often a chunk is compared or sent. */
function checksums(file: File, hash: Sending["hash"]) {
  const known: string[] = [];
  return {
    of: async ({ index, start, end }: Chunk) =>
      (known[index] ??= await hash(file.slice(start, end))),
    /** Of the whole file, once those of all chunks are known. */
    ofFile: () => hash(new Blob([known.join("")])),
  };
}

/**
 * Sends the parts of a file that the server lacks, chunk by chunk, at most two at a time, and returns once the server
 * has all of it. Chunks the server holds under the same name are compared by checksum.
 */
export async function sendFile(sending: Sending): Promise<void> {
  const { projectId, slot, file, signal, transport, persist, report } = sending;
  if (file.size === 0) throw new Error("The file is empty.");
  const sums = checksums(file, sending.hash);
  const sent = new Set<number>();

  // Further passes: the server may have started the file over in the meantime, and then lacks what it had before.
  for (let pass = 0; pass < PASSES; pass++) {
    const server = await persist(() => transport.received(projectId, slot, signal));
    // The server cannot list its chunks, and has refused none.
    if (!server && pass > 0) return;
    let comparedBytes = 0;
    const left = await chunksToSend(server, file, async (chunk, sha256) => {
      signal.throwIfAborted();
      const isThere = sha256 ? sha256 === (await sums.of(chunk)) : sent.has(chunk.index);
      if (isThere) comparedBytes += chunk.end - chunk.start;
      report({ state: "verifying", sentBytes: comparedBytes });
      return isThere;
    });
    if (left.length === 0 || (await sendChunks(sending, left, sums))) return;
    for (const { index } of left) sent.add(index);
  }
  throw new Error("Parts of the file did not arrive. Please try again.");
}
