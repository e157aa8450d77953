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
  /** With the last chunk that is sent: the SHA-256 of the file's chunks' hex SHA-256s, joined; empty before. */
  fileSha256: string;
  /** Called with the bytes of this chunk that have left so far. */
  onBytes: (sent: number) => void;
  signal: AbortSignal;
}

/**
 * The HTTP boundary. Failures throw an error whose `status` is the HTTP status (undefined when no answer arrived) and `code` the
 * catalogue's name of the reason.
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

/** Times that a file is gone through until the server has all of it. */
const PASSES = 3;

/**
 * Sends what the server does not have of a file, chunk after chunk, at most two of them at a time, and ends when it has all of it. What it holds under
 * the same name is compared by checksum, so that each byte of the file is read once for that, whether it is sent or not.
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
    // It does not tell, and has refused nothing.
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
    /** Of chunks on their way, the bytes that have left. */
    const leaving = new Map<Chunk, number>();
    const progress = (): Pick<Upload, "sentBytes" | "state"> => {
      let sentBytes = storedBytes;
      for (const bytes of leaving.values()) sentBytes += bytes;
      return { sentBytes, state: sentBytes === file.size ? "verifying" : "sending" };
    };

    /** `hasLeft` is called when all bytes of the chunk are on the line for the first time. */
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

    // A chunk's bytes leave while the server stores the one before it. The first goes alone, since the server may
    // begin the file again with it, and so does the last, which says that the others belong together.
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
    // Before the last, it may speak of a complete file that this one is about to replace.
    if (answer.complete) return;
  }
  throw new Error("Parts of the file did not arrive. Please try again.");
}
