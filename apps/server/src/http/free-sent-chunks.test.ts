import { createHash, randomBytes } from "node:crypto";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { freeSentChunks } from "./free-sent-chunks.ts";

const CHUNK_BYTES = 256 * 1024;

/** Sends chunks; returns the SHA-256 of what an initially slow client receives. */
async function sendAll(
  chunks: Buffer[],
  send: (body: Readable, answer: ServerResponse) => void,
): Promise<string> {
  const server = createServer((_, answer) => send(Readable.from(chunks), answer));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<IncomingMessage>((done, fail) =>
      get({ port, host: "127.0.0.1" }, done).on("error", fail),
    );
    const received = createHash("sha256");
    let slow = 4;
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      received.update(bytes);
      if (slow-- > 0) await sleep(20);
    }
    return received.digest("hex");
  } finally {
    server.close();
  }
}

function chunksOf(n: number): { chunks: Buffer[]; sha256: string } {
  const chunks = Array.from({ length: n }, () => {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    randomBytes(CHUNK_BYTES).copy(chunk);
    return chunk;
  });
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return { chunks, sha256: hash.digest("hex") };
}

it("frees memory only after it has been sent", async () => {
  const { chunks, sha256 } = chunksOf(64);
  const received = await sendAll(chunks, (body, answer) => {
    freeSentChunks(body, answer);
    body.pipe(answer);
  });
  expect(received).toBe(sha256);
  // The last chunks need not be freed: nothing waits for them.
  expect(chunks.filter((chunk) => chunk.length === 0).length).toBeGreaterThanOrEqual(62);
});

it("keeps slices of larger buffers and small chunks", async () => {
  const whole = randomBytes(16 * CHUNK_BYTES);
  const parts = Array.from({ length: 16 }, (_, i) =>
    whole.subarray(i * CHUNK_BYTES, (i + 1) * CHUNK_BYTES),
  );
  const small = Buffer.alloc(1024, 7);
  const chunks = [...parts, small];
  await sendAll(chunks, (body, answer) => {
    freeSentChunks(body, answer);
    body.pipe(answer);
  });
  expect(chunks.map(({ length }) => length)).toEqual([
    ...Array.from({ length: 16 }, () => CHUNK_BYTES),
    1024,
  ]);
});

it("keeps chunks that pass through another stream first", async () => {
  const { chunks, sha256 } = chunksOf(64);
  const received = await sendAll(chunks, (body, answer) => {
    freeSentChunks(body, answer);
    body.pipe(new PassThrough({ highWaterMark: 8 * CHUNK_BYTES })).pipe(answer);
  });
  expect(received).toBe(sha256);
  expect(chunks.every(({ length }) => length === CHUNK_BYTES)).toBe(true);
});
