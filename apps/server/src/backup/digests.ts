import { createHash } from "node:crypto";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CHUNK_BYTES } from "@stipple/contract";
import type { Storage } from "../storage/storage.ts";
import { chunksDigest } from "../uploads/slot-state.ts";

/** A part of an object that a row describes: bytes from `offset` on. */
export interface KnownRange {
  offset: number;
  size: number;
  sha256: string;
}

/** What is known of an object's content before it is read. */
export interface KnownContent {
  size: number;
  /** As `objects.digest`: SHA-256 of the whole, of an upload's chunks, or of a pack (checked by its ranges). */
  digest: string | null;
  ranges: readonly KnownRange[];
}

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

/** Passes an object's bytes through, and fails at the end if they do not match the database. */
export class ContentCheck extends Hashing {
  readonly #known: KnownContent;
  readonly #chunks: string[] = [];
  readonly #ranges: KnownRange[];
  #chunk = createHash("sha256");
  #chunkBytes = 0;
  #range = createHash("sha256");
  #wrong: string | undefined;

  constructor(known: KnownContent) {
    super();
    this.#known = known;
    this.#ranges = known.ranges.toSorted((a, b) => a.offset - b.offset || a.size - b.size);
  }

  override _transform(bytes: Buffer, _: string, done: (error: null, out: Buffer) => void): void {
    this.#countRanges(bytes);
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + CHUNK_BYTES - this.#chunkBytes);
      this.#chunk.update(piece);
      this.#chunkBytes += piece.length;
      at += piece.length;
      if (this.#chunkBytes === CHUNK_BYTES) this.#endChunk();
    }
    super._transform(bytes, _, done);
  }

  override _flush(done: (error?: Error | null) => void): void {
    if (this.#chunkBytes > 0) this.#endChunk();
    const { size, digest } = this.#known;
    if (this.bytes !== size) this.#wrong = `it has ${this.bytes} bytes instead of ${size}`;
    else if (this.#ranges.some((range) => range.size > 0))
      this.#wrong ??= "files in it are missing";
    else if (digest !== null && /^[0-9a-f]{64}$/.test(digest)) {
      if (digest !== this.sha256 && digest !== chunksDigest(this.#chunks)) {
        this.#wrong ??= "its content differs from what was stored";
      }
    }
    done(this.#wrong === undefined ? null : new ContentError(this.#wrong));
  }

  #endChunk(): void {
    this.#chunks.push(this.#chunk.digest("hex"));
    this.#chunk = createHash("sha256");
    this.#chunkBytes = 0;
  }

  /** Ranges are contiguous and in order; `this.bytes` is the offset of these bytes. */
  #countRanges(bytes: Buffer): void {
    const end = this.bytes + bytes.length;
    for (let range = this.#ranges[0]; range; range = this.#ranges[0]) {
      const rangeEnd = range.offset + range.size;
      if (range.offset >= end && range.size > 0) return;
      const from = Math.max(0, range.offset - this.bytes);
      this.#range.update(bytes.subarray(from, Math.max(from, rangeEnd - this.bytes)));
      if (rangeEnd > end) return;
      if (this.#range.digest("hex") !== range.sha256) {
        this.#wrong ??= "the content of a file in it differs from what was stored";
      }
      this.#range = createHash("sha256");
      this.#ranges.shift();
    }
  }
}

/** An object does not match what is known about it. */
export class ContentError extends Error {
  override readonly name = "ContentError";
}

/** Reads an object to its end. Throws MissingObjectError, or a {@link ContentError}. */
export async function readThrough(
  storage: Storage,
  key: string,
  known: KnownContent,
): Promise<string> {
  const check = new ContentCheck(known);
  await pipeline(await storage.get(key), check, nowhere());
  return check.sha256;
}

/** Copies an object to another storage while checking it. An object that fails the check is not stored. */
export async function copyChecked(
  from: { storage: Storage; key: string },
  to: { storage: Storage; key: string },
  known: KnownContent,
): Promise<string> {
  const check = new ContentCheck(known);
  const source = await from.storage.get(from.key);
  // If either fails, the other is ended too.
  const [read, written] = await Promise.allSettled([
    pipeline(source, check),
    to.storage.put(to.key, check),
  ]);
  if (read.status === "rejected" && read.reason instanceof ContentError) throw read.reason;
  if (written.status === "rejected") throw written.reason;
  if (read.status === "rejected") throw read.reason;
  return check.sha256;
}

function nowhere(): Writable {
  return new Writable({ write: (_bytes, _encoding, done) => done() });
}
