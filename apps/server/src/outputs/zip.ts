import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { BoundedMap } from "../operations/bounded-map.ts";
import type { StoredFile } from "./read.ts";
import { descriptor, descriptorLength, directory, localHeader } from "./zip-records.ts";

/** A zip of published files that does not exist yet: each byte is made when it is requested. */
export interface Zip {
  size: number;
  /** Identifies its contents. */
  tag: string;
  files: readonly StoredFile[];
  /**
   * The bytes `start`–`end` (inclusive), or all of them. Fails if a file does not have the length stated in its row.
   */
  stream(range?: ByteRange): Readable;
}

interface ByteRange {
  start: number;
  end: number;
}

type OpenFile = (file: StoredFile, range?: ByteRange) => Promise<Readable>;

/** A piece of the zip: a record, which is made when it is sent, or a file. */
type Piece = { length: number } & ({ record: () => Promise<Buffer> } | { file: StoredFile });

/**
 * Files are stored uncompressed (images and h5ad are already compressed), so that the size and the position of every
 * byte are known in advance: an interrupted download resumes where it stopped. A file's CRC-32 is computed while the
 * file is sent.
 */
export function zipOf(files: readonly StoredFile[], openFile: OpenFile): Zip {
  const entries = files.map((file) => ({ ...file, modified: file.publishedAt }));
  const pieces: Piece[] = [];
  const placed: { entry: (typeof entries)[number]; at: number }[] = [];
  let at = 0;
  const add = (piece: Piece): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const entry of entries) {
    placed.push({ entry, at });
    const header = localHeader(entry);
    add({ length: header.length, record: () => Promise.resolve(header) });
    add({ length: entry.size, file: entry });
    add({
      length: descriptorLength(entry),
      record: async () => descriptor(entry, await crcOf(entry, openFile)),
    });
  }
  const start = at;
  const directoryWith = (crcs: readonly number[]): Buffer =>
    directory(
      placed.map(({ entry, at }, n) => ({ ...entry, at, crc: crcs[n] ?? 0 })),
      start,
    );
  add({
    length: directoryWith([]).length,
    record: async () => {
      const crcs: number[] = [];
      for (const { entry } of placed) crcs.push(await crcOf(entry, openFile));
      return directoryWith(crcs);
    },
  });
  const listed = entries.map(({ path, size, sha256, modified }) => [
    path,
    size,
    sha256,
    modified.getTime(),
  ]);
  return {
    size: at,
    files,
    tag: `"${hash("sha256", JSON.stringify(listed), "base64url")}"`,
    stream: (range = { start: 0, end: at - 1 }) => new ZipStream(pieces, range, openFile),
  };
}

const BUFFERED_BYTES = 512 * 1024;

/**
 * The bytes of a range, piece by piece. A file's chunks are passed on as they come: an asynchronous generator would
 * take three turns of the event loop per chunk, and half as much time again.
 */
class ZipStream extends Readable {
  readonly #pieces: readonly Piece[];
  readonly #range: ByteRange;
  readonly #openFile: OpenFile;
  #next = 0;
  #at = 0;
  /** The file that is being read. */
  #file: Readable | null = null;
  #isBeginning = false;

  constructor(pieces: readonly Piece[], range: ByteRange, openFile: OpenFile) {
    super({ highWaterMark: BUFFERED_BYTES });
    this.#pieces = pieces;
    this.#range = range;
    this.#openFile = openFile;
  }

  override _read(): void {
    if (this.#file) return void this.#file.resume();
    // Called again as soon as a record has been pushed.
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    this.#begin().then(
      () => (this.#isBeginning = false),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  /** Goes on to the next piece that has bytes of the range. */
  async #begin(): Promise<void> {
    for (;;) {
      const piece = this.#pieces[this.#next++];
      if (!piece) return void this.push(null);
      // Within the piece, end exclusive.
      const from = Math.max(0, this.#range.start - this.#at);
      const to = Math.min(piece.length, this.#range.end + 1 - this.#at);
      this.#at += piece.length;
      if (from >= to) continue;
      if ("file" in piece) return this.#send(piece.file, { start: from, end: to - 1 });
      this.push((await piece.record()).subarray(from, to));
      if (this.destroyed) return;
    }
  }

  async #send(file: StoredFile, range: ByteRange): Promise<void> {
    const stream = await this.#openFile(file, range);
    if (this.destroyed) return void stream.destroy();
    this.#file = stream;
    const isKnown = known.get(file.sha256) !== undefined;
    let [crc, sent] = [0, 0];
    stream.on("data", (chunk: Buffer) => {
      if (!isKnown) crc = crc32(chunk, crc);
      sent += chunk.length;
      if (!this.push(chunk)) stream.pause();
    });
    stream.once("error", (error) => this.destroy(error));
    stream.once("end", () => {
      this.#file = null;
      if (sent !== range.end + 1 - range.start) {
        return this.destroy(new Error(`${file.path} does not have the expected length`));
      }
      if (!isKnown && sent === file.size) known.set(file.sha256, crc);
      this._read();
    });
    stream.once("close", () => {
      if (this.#file === stream) this.destroy(new Error(`${file.path} was cut off`));
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#file?.destroy();
    done(error);
  }
}

/** CRC-32s of recently sent or read contents, so that the end of the zip need not reread its files. */
const known = new BoundedMap<number>(50_000);

/** Reads the file if its CRC-32 is unknown: part of it may have been sent by another process, or before a restart. */
async function crcOf(file: StoredFile, openFile: OpenFile): Promise<number> {
  const found = known.get(file.sha256);
  if (found !== undefined) return found;
  if (file.size === 0) return 0;
  let crc = 0;
  for await (const chunk of (await openFile(file)) as AsyncIterable<Buffer>) {
    crc = crc32(chunk, crc);
  }
  known.set(file.sha256, crc);
  return crc;
}
