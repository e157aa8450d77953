import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Smaller chunks are not worth it; records of a zip, which are sent again to anyone who asks again, are among them. */
const LEAST_BYTES = 64 * 1024;

/**
 * Frees the memory of a body's chunks as soon as `answer` has sent them, if the body is piped straight into it. They
 * are outside of V8's heap: left to the garbage collector, they have it look through the whole heap a hundred times a
 * gigabyte, and a file is read into pages that the kernel has to clear first. Chunks must be nobody else's.
 */
export function freeSent(body: Readable, answer: ServerResponse): void {
  let handedOver: Buffer<ArrayBuffer>[] = [];
  answer.once("pipe", (source) => {
    if (source !== body) return;
    body.on("data", (chunk: Buffer<ArrayBuffer>) => {
      const isWholeMemory = chunk.byteLength === chunk.buffer.byteLength;
      if (isWholeMemory && chunk.byteLength >= LEAST_BYTES) handedOver.push(chunk);
    });
    // The kernel has everything by then.
    answer.on("drain", () => {
      if (answer.writableLength > 0) return;
      for (const { buffer } of handedOver) buffer.transfer(0);
      handedOver = [];
    });
  });
}
