import { CHUNK_BYTES, type UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { chunksToSend, type Chunk, type ServerChunks } from "./chunk-plan.ts";
import { speedMeter } from "./speed.ts";
import type { Upload } from "./upload-engine.ts";

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
interface Sending {
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

/**
 * Sends the parts of a file that the server lacks, chunk by chunk, at most two at a time, and returns once the server
 * has all of it. Chunks the server holds under the same name are compared by checksum; either way, each byte of the
 * file is hashed once.
 */
export async function sendFile(sending: Sending): Promise<void> {
  const { projectId, slot, file, signal, transport, hash, now, persist, report } = sending;
  if (file.size === 0) throw new Error("The file is empty.");
  const chunks = Math.ceil(file.size / CHUNK_BYTES);
  const hashes: string[] = [];
  const sent = new Set<number>();

  async function hashOf({ index, start, end }: Chunk): Promise<string> {
    return (hashes[index] ??= await hash(file.slice(start, end)));
  }

  // Further passes: the server may have started the file over in the meantime, and then lacks what it had before.
  for (let pass = 0; pass < PASSES; pass++) {
    const server = await persist(() => transport.received(projectId, slot, signal));
    // The server cannot list its chunks, and has refused none.
    if (!server && pass > 0) return;
    let comparedBytes = 0;
    const left = await chunksToSend(server, file, async (chunk, sha256) => {
      signal.throwIfAborted();
      const isThere = sha256 ? sha256 === (await hashOf(chunk)) : sent.has(chunk.index);
      if (isThere) comparedBytes += chunk.end - chunk.start;
      report({ state: "verifying", sentBytes: comparedBytes });
      return isThere;
    });
    if (left.length === 0) return;

    let storedBytes = left.reduce((bytes, { start, end }) => bytes - (end - start), file.size);
    report({ state: "sending", sentBytes: storedBytes });
    const meter = speedMeter(storedBytes, now());
    /** Bytes sent so far of each chunk in progress. */
    const leaving = new Map<Chunk, number>();
    const progress = (): Pick<Upload, "sentBytes" | "state"> => {
      let sentBytes = storedBytes;
      for (const bytes of leaving.values()) sentBytes += bytes;
      return { sentBytes, state: sentBytes === file.size ? "verifying" : "sending" };
    };

    /** `hasLeft` is called when all bytes of the chunk have been sent. */
    async function sendOne(chunk: Chunk, fileSha256: string, hasLeft: () => void) {
      const { index, start, end } = chunk;
      const sha256 = await hashOf(chunk);
      const answer = await persist(() => {
        leaving.set(chunk, 0);
        report({ ...progress(), state: "sending" });
        return transport.send({
          projectId,
          slot,
          fileName: file.name,
          bytes: file.slice(start, end),
          index,
          chunks,
          sha256,
          fileSha256,
          signal,
          onBytes(bytes) {
            leaving.set(chunk, Math.min(bytes, end - start));
            const { sentBytes, state } = progress();
            const bytesPerSecond = meter.note(sentBytes, now());
            report({
              sentBytes,
              state,
              ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
            });
            if (bytes >= end - start) hasLeft();
          },
        });
      });
      sent.add(index);
      leaving.delete(chunk);
      storedBytes += end - start;
      report({
        ...progress(),
        ...(answer.warning === undefined ? {} : { warning: answer.warning }),
      });
      return answer;
    }

    // A chunk is sent while the server stores the previous one. The first is sent alone because the server may start
    // the file over with it; so is the last, which states that the others belong together.
    const [first, last] = [left[0]!, left.at(-1)!];
    if (first !== last) await sendOne(first, "", () => undefined);
    const sends: Promise<unknown>[] = [];
    try {
      for (const chunk of left.slice(1, -1)) {
        const before = sends.at(-1);
        const left = new Promise<void>((hasLeft) => sends.push(sendOne(chunk, "", hasLeft)));
        await Promise.all([before, Promise.race([left, sends.at(-1)])]);
      }
      await sends.at(-1);
    } finally {
      // Progress of a pending chunk is ignored once the file is given up.
      await Promise.allSettled(sends);
    }
    await hashOf(last);
    const fileSha256 = await hash(new Blob([hashes.join("")]));
    const answer = await sendOne(last, fileSha256, () => undefined);
    // Earlier answers may refer to a complete file that this one is about to replace.
    if (answer.complete) return;
  }
  throw new Error("Parts of the file did not arrive. Please try again.");
}
