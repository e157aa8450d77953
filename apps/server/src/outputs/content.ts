import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CHUNK_BYTES } from "@stipple/contract";
import type { Storage } from "../storage/storage.ts";

/** A part of an object that a row describes: bytes from `offset` on. */
export interface KnownRange {
  offset: number;
  size: number;
  sha256: string;
}

/** What is known of an object's content before it is read. All hashes are hex SHA-256s. */
export interface KnownContent {
  size: number;
  /** Of all its bytes. */
  sha256?: string;
  /** What an upload is known by (`chunksDigest`). */
  chunks?: string;
  /** The files in it. */
  ranges?: readonly KnownRange[];
}

const READ_BYTES = 1024 * 1024;

/** Passes bytes through, counting and hashing (SHA-256) them. */
export class Hashing extends Transform {
  readonly #hash = createHash("sha256");
  #sha256: string | undefined;
  bytes = 0;
  override _transform(bytes: Buffer, _: string, done: (error: null, out: Buffer) => void): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
    done(null, bytes);
  }
  get sha256(): string {
    return (this.#sha256 ??= this.#hash.digest("hex"));
  }
}

/** Hex SHA-256s of the chunks of a file whose bytes come piece by piece. */
class ChunkHashes {
  readonly #done: string[] = [];
  #hash = createHash("sha256");
  #filled = 0;

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + CHUNK_BYTES - this.#filled);
      this.#hash.update(piece);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === CHUNK_BYTES) this.#endChunk();
    }
  }

  end(): string[] {
    if (this.#filled > 0) this.#endChunk();
    return this.#done;
  }

  #endChunk(): void {
    this.#done.push(this.#hash.digest("hex"));
    this.#hash = createHash("sha256");
    this.#filled = 0;
  }
}

/** Hex SHA-256 of each chunk of a file. */
export async function chunkHashes(source: Readable): Promise<string[]> {
  const hashes = new ChunkHashes();
  for await (const piece of source as AsyncIterable<Buffer>) hashes.add(piece);
  return hashes.end();
}

/**
 * Compares bytes that come piece by piece with what is known of them. Hashes only what something is known of, about
 * half a second per GB.
 */
class Comparison {
  readonly #known: KnownContent;
  readonly #ranges: KnownRange[];
  readonly #whole: Hash | undefined;
  readonly #chunks = new ChunkHashes();
  #range = createHash("sha256");
  #wrong: string | undefined;
  #bytes = 0;

  constructor(known: KnownContent) {
    this.#known = known;
    const { ranges = [], sha256 } = known;
    this.#ranges = ranges.toSorted((a, b) => a.offset - b.offset || a.size - b.size);
    this.#whole = sha256 === undefined ? undefined : createHash("sha256");
  }

  add(bytes: Buffer): void {
    this.#whole?.update(bytes);
    this.#addToRanges(bytes);
    if (this.#known.chunks !== undefined) this.#chunks.add(bytes);
    this.#bytes += bytes.length;
  }

  /** Throws a {@link ContentError} if the bytes are not what is known. */
  end(): void {
    const { size, sha256, chunks } = this.#known;
    if (this.#bytes !== size) this.#wrong = `it has ${this.#bytes} bytes instead of ${size}`;
    else if (this.#ranges.some((range) => range.size > 0)) {
      this.#wrong ??= "files in it are missing";
    } else if (
      (sha256 !== undefined && this.#whole?.digest("hex") !== sha256) ||
      (chunks !== undefined && chunksDigest(this.#chunks.end()) !== chunks)
    ) {
      this.#wrong ??= "its content differs from what was stored";
    }
    if (this.#wrong !== undefined) throw new ContentError(this.#wrong);
  }

  /** Ranges are contiguous and in order; `#bytes` is the offset of these bytes. */
  #addToRanges(bytes: Buffer): void {
    const end = this.#bytes + bytes.length;
    for (let range = this.#ranges[0]; range; range = this.#ranges[0]) {
      const rangeEnd = range.offset + range.size;
      if (range.offset >= end && range.size > 0) return;
      const from = Math.max(0, range.offset - this.#bytes);
      this.#range.update(bytes.subarray(from, Math.max(from, rangeEnd - this.#bytes)));
      if (rangeEnd > end) return;
      if (this.#range.digest("hex") !== range.sha256) {
        const what =
          range.size === this.#known.size ? "its content" : "the content of a file in it";
        this.#wrong ??= `${what} differs from what was stored`;
      }
      this.#range = createHash("sha256");
      this.#ranges.shift();
    }
  }
}

/** Passes an object's bytes through, and fails at the end if they are not what is known. */
async function* checked(bytes: AsyncIterable<Buffer>, known: KnownContent): AsyncGenerator<Buffer> {
  const comparison = new Comparison(known);
  for await (const piece of bytes) {
    comparison.add(piece);
    yield piece;
  }
  comparison.end();
}

/** An object does not match what is known about it. */
export class ContentError extends Error {
  override readonly name = "ContentError";
}

/** Reads an object to its end. Throws MissingObjectError, or a {@link ContentError}. O(size), in constant memory. */
export async function assertContent(
  storage: Storage,
  key: string,
  known: KnownContent,
): Promise<void> {
  await compare(await storage.get(key), known);
}

/** Throws unless a local file has the known content. */
export async function assertFileContent(path: string, known: KnownContent): Promise<void> {
  await compare(createReadStream(path, { highWaterMark: READ_BYTES }), known);
}

async function compare(bytes: AsyncIterable<Buffer>, known: KnownContent): Promise<void> {
  const comparison = new Comparison(known);
  for await (const piece of bytes) comparison.add(piece);
  comparison.end();
}

/** Throws unless an object has the known content; returns the SHA-256 of all its bytes. */
export async function readThrough(
  storage: Storage,
  key: string,
  known: KnownContent,
): Promise<string> {
  const hashing = new Hashing();
  await pipeline(await storage.get(key), hashing, (bytes) => compare(bytes, known));
  return hashing.sha256;
}

/** Copies an object to another storage while checking it. An object that fails the check is not stored. */
export async function copyChecked(
  from: { storage: Storage; key: string },
  to: { storage: Storage; key: string },
  known: KnownContent,
): Promise<string> {
  const hashing = new Hashing();
  await pipeline(await from.storage.get(from.key), hashing, (bytes) =>
    to.storage.put(to.key, Readable.from(checked(bytes, known), { objectMode: false })),
  );
  return hashing.sha256;
}

/** The digest that identifies a file: SHA-256 of its chunks' hex SHA-256s, concatenated in order. */
export function chunksDigest(hashes: readonly string[]): string {
  return createHash("sha256").update(hashes.join("")).digest("hex");
}
