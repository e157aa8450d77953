import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Smaller chunks are not worth it. They include a zip's records, which are kept and sent again to later requests. */
const MIN_BYTES = 64 * 1024;

/**
 * Frees the memory of a body's chunks as soon as `answer` has sent them, if the body is piped directly into it. The
 * chunks are outside V8's heap: left to the garbage collector, they would make it scan the whole heap about a hundred
 * times per gigabyte, and files would be read into pages that the kernel has to clear first. Nothing else may use the
 * chunks.
 */
export function freeSentChunks(body: Readable, answer: ServerResponse): void {
  let handedOver: Buffer<ArrayBuffer>[] = [];
  answer.once("pipe", (source) => {
    if (source !== body) return;
    body.on("data", (chunk: Buffer<ArrayBuffer>) => {
      const isWholeMemory = chunk.byteLength === chunk.buffer.byteLength;
      if (isWholeMemory && chunk.byteLength >= MIN_BYTES) handedOver.push(chunk);
    });
    // The kernel has everything by then.
    answer.on("drain", () => {
      if (answer.writableLength > 0) return;
      for (const { buffer } of handedOver) buffer.transfer(0);
      handedOver = [];
    });
  });
}
