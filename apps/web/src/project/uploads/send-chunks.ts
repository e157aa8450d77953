import { chunkPlan, type Chunk } from "./chunk-plan.ts";
import type { Checksums, Sending } from "./send-file.ts";
import type { Upload } from "./upload.ts";

/** Time constant of the mean speed. */
const SMOOTHING_MS = 4_000;
const SHORTEST_SAMPLE_MS = 500;

/** Sends these chunks of a file, at most two at a time; whether the server then has the whole file. */
export async function sendChunks(
  sending: Sending,
  left: readonly Chunk[],
  sums: Checksums,
): Promise<boolean> {
  const { projectId, slot, file, signal, transport, persist } = sending;
  const progress = reportProgress(sending, left);
  const about = { projectId, slot, signal, fileName: file.name };
  const chunks = chunkPlan(file.size).length;

  /** `hasLeft` is called when all bytes of the chunk have been sent. */
  async function send(chunk: Chunk, fileSha256: string, hasLeft?: () => void): Promise<boolean> {
    const { index, start, end } = chunk;
    const sha256 = await sums.of(chunk);
    const bytes = file.slice(start, end);
    const { complete, warning } = await persist(() => {
      progress.begins(chunk);
      return transport.send({
        ...{ ...about, chunks, index, bytes, sha256, fileSha256 },
        onBytes(sent) {
          progress.isSent(chunk, sent);
          if (sent >= end - start) hasLeft?.();
        },
      });
    });
    progress.isStored(chunk, warning);
    return complete;
  }

  // A chunk is sent while the server stores the previous one. The first is sent alone because the server may start
  // the file over with it; so is the last, which states that the others belong together.
  const [first, last] = [left[0]!, left.at(-1)!];
  if (first !== last) await send(first, "");
  const sends: Promise<unknown>[] = [];
  try {
    for (const chunk of left.slice(1, -1)) {
      const before = sends.at(-1);
      const hasLeft = new Promise<void>((resolve) => sends.push(send(chunk, "", resolve)));
      await Promise.all([before, Promise.race([hasLeft, sends.at(-1)])]);
    }
    await sends.at(-1);
  } finally {
    // Progress of a pending chunk is ignored once the file is given up.
    await Promise.allSettled(sends);
  }
  await sums.of(last);
  // Earlier answers may refer to a complete file that this one is about to replace.
  return send(last, await sums.ofFile());
}

/** Reports how much of the file has been sent, and how fast. */
function reportProgress({ file, now, report }: Sending, left: readonly Chunk[]) {
  const sizeOf = ({ start, end }: Chunk): number => end - start;
  let storedBytes = left.reduce((bytes, chunk) => bytes - sizeOf(chunk), file.size);
  report({ state: "sending", sentBytes: storedBytes });
  const meter = speedMeter(storedBytes, now());
  /** Bytes sent so far of each chunk in progress. */
  const leaving = new Map<Chunk, number>();
  const progress = (): { sentBytes: number; state: Upload["state"] } => {
    let sentBytes = storedBytes;
    for (const bytes of leaving.values()) sentBytes += bytes;
    return { sentBytes, state: sentBytes === file.size ? "verifying" : "sending" };
  };
  return {
    begins(chunk: Chunk): void {
      leaving.set(chunk, 0);
      report({ ...progress(), state: "sending" });
    },
    isSent(chunk: Chunk, bytes: number): void {
      leaving.set(chunk, Math.min(bytes, sizeOf(chunk)));
      const { sentBytes, state } = progress();
      const bytesPerSecond = meter.note(sentBytes, now());
      report({ sentBytes, state, ...(bytesPerSecond !== undefined && { bytesPerSecond }) });
    },
    isStored(chunk: Chunk, warning: string | undefined): void {
      leaving.delete(chunk);
      storedBytes += sizeOf(chunk);
      report({ ...progress(), ...(warning !== undefined && { warning }) });
    },
  };
}

/** Bytes sent over time, smoothed so that the time left does not jump: an exponentially weighted mean. */
function speedMeter(startBytes: number, startMs: number) {
  let bytes = startBytes;
  let at = startMs;
  let speed: number | undefined;
  return {
    /**
     * Records that `sentBytes` in total had been sent at `nowMs`; returns bytes per second, or undefined within the first
     * half second.
     */
    note(sentBytes: number, nowMs: number): number | undefined {
      const elapsed = nowMs - at;
      if (elapsed < SHORTEST_SAMPLE_MS) return speed;
      const current = (Math.max(0, sentBytes - bytes) * 1000) / elapsed;
      const weight = 1 - Math.exp(-elapsed / SMOOTHING_MS);
      speed = speed === undefined ? current : speed + weight * (current - speed);
      bytes = sentBytes;
      at = nowMs;
      return speed;
    },
  };
}
