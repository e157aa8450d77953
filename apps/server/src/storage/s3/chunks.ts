import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { CHUNK_BYTES } from "@stipple/contract";

/** Maximum number of parts that a bucket accepts. */
const MAX_PARTS = 10_000;

/** A stream in pieces of `bytes`; the last one is shorter, and an empty stream has none. */
export async function* chunksOf(source: Readable, bytes: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const piece of source as AsyncIterable<Buffer | string>) {
    let rest = typeof piece === "string" ? Buffer.from(piece) : piece;
    while (held + rest.length >= bytes) {
      const taken = bytes - held;
      yield Buffer.concat([...pieces, rest.subarray(0, taken)], bytes);
      rest = rest.subarray(taken);
      pieces = [];
      held = 0;
    }
    if (rest.length > 0) pieces.push(rest);
    held += rest.length;
  }
  if (held > 0) yield Buffer.concat(pieces, held);
}

/** A file in the smallest pieces that a bucket accepts, given its limit on their number. */
export async function* fileChunks(path: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Math.max(CHUNK_BYTES, Math.ceil(size / MAX_PARTS));
  await using file = await open(path);
  for (let start = 0; start < size; start += bytes) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(bytes, size - start));
    for (let filled = 0; filled < chunk.length;) {
      const { bytesRead } = await file.read(chunk, filled, chunk.length - filled, start + filled);
      if (bytesRead === 0) throw new Error(`${path} shrank while it was being stored`);
      filled += bytesRead;
    }
    yield chunk;
  }
}

export async function* following<T>(
  first: readonly T[],
  rest: AsyncIterable<T>,
): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
