import { open, rm, type FileHandle } from "node:fs/promises";
import type { Tasks } from "@stipple/tasks/task";
import {
  compressChunks,
  type CompressedBatch,
  compressHere,
  GAP_BYTES,
} from "./compress-chunks.ts";

/** Elements per chunk: 256 kB of 4-byte values. */
export const CHUNK = 1 << 16;
const CHUNK_BYTES = 4 * CHUNK;
/** Chunks passed to a thread at a time. */
const BATCH = 8;
/** Batches being compressed or waiting to be written at a time. */
const MAX_UNDER_WAY = 4;
/** Bytes read and written at a time when the chunks are copied to their file. */
const COPY_BYTES = 1 << 23;

/** A compressed chunk: its offset among all chunks, and its size in bytes. */
export interface SpooledChunk {
  at: number;
  bytes: number;
}

/** Chunks waiting for their batch to be full, and the list that each belongs to. */
interface Batch {
  /** In memory that threads share, and reused: otherwise the garbage collector would run all the time. */
  buffer: Uint8Array;
  areSearched: boolean[];
  lists: SpooledChunk[][];
}

/**
 * Chunks of an HDF5 file, compressed by threads while the file is still being written, and collected in a separate
 * file. The HDF5 library would compress them one after another.
 */
export class ChunkSpool {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #tasks: Tasks | null;
  readonly #ending = new AbortController();
  #bytes = 0;
  /** Writes in the order in which chunks arrived, so that equal content makes equal files. */
  #last: Promise<void> = Promise.resolve();
  readonly #underWay: Promise<void>[] = [];
  #batch: Batch = emptyBatch();
  readonly #spare: Batch[] = [];

  private constructor(path: string, file: FileHandle, tasks: Tasks | null) {
    this.#path = path;
    this.#file = file;
    this.#tasks = tasks;
  }

  /** Without `tasks`, the caller compresses the chunks. */
  static async create(path: string, tasks: Tasks | null): Promise<ChunkSpool> {
    return new ChunkSpool(path, await open(path, "w+"), tasks);
  }

  /**
   * Adds a chunk to `chunks`, compressed by searching for repetitions or for runs alone. Resolves when there is room
   * for the next one; `values` may be changed immediately.
   */
  async add(
    values: Int32Array | Float32Array,
    chunks: SpooledChunk[],
    isSearched: boolean,
  ): Promise<void> {
    const { buffer, areSearched, lists } = this.#batch;
    buffer.set(
      new Uint8Array(values.buffer, values.byteOffset, CHUNK_BYTES),
      GAP_BYTES + areSearched.length * CHUNK_BYTES,
    );
    areSearched.push(isSearched);
    lists.push(chunks);
    if (areSearched.length < BATCH) return;
    this.#send();
    if (this.#underWay.length > MAX_UNDER_WAY) await this.#underWay.shift();
  }

  #send(): void {
    const batch = this.#batch;
    if (batch.areSearched.length === 0) return;
    this.#batch = this.#spare.pop() ?? emptyBatch();
    const work = this.#compress(batch);
    const before = this.#last;
    this.#last = (async () => {
      const [{ lengths }] = await Promise.all([work, before]);
      const bytes = lengths.reduce((sum, length) => sum + length, 0);
      await writeAll(this.#file, batch.buffer.subarray(0, bytes), this.#bytes);
      for (const [i, length] of lengths.entries()) {
        batch.lists[i].push({ at: this.#bytes, bytes: length });
        this.#bytes += length;
      }
      this.#spare.push({ buffer: batch.buffer, areSearched: [], lists: [] });
    })();
    // Reported to callers awaiting `add` or `settle`.
    this.#last.catch(() => undefined);
    this.#underWay.push(this.#last);
  }

  async #compress({ buffer, areSearched }: Batch): Promise<CompressedBatch> {
    const input = { buffer, chunkBytes: CHUNK_BYTES, areSearched };
    if (!this.#tasks) return compressHere({}, input);
    const options = { signal: this.#ending.signal };
    const [batch] = await this.#tasks.map(compressChunks, { shared: {}, inputs: [input] }, options);
    return batch;
  }

  /** Resolves when every chunk is written. */
  async settle(): Promise<void> {
    this.#send();
    await this.#last;
  }

  /** Copies all chunks to `file` from `position` on, and returns the end position. */
  async copyTo(file: FileHandle, position: number): Promise<number> {
    await this.settle();
    const buffer = Buffer.alloc(Math.min(COPY_BYTES, this.#bytes));
    for (let at = 0; at < this.#bytes; at += buffer.length) {
      const piece = buffer.subarray(0, Math.min(buffer.length, this.#bytes - at));
      await this.#file.read(piece, 0, piece.length, at);
      await writeAll(file, piece, position + at);
    }
    return position + this.#bytes;
  }

  /** Removes the separate file. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#last.catch(() => undefined);
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
  }
}

function emptyBatch(): Batch {
  const buffer = new Uint8Array(new SharedArrayBuffer(GAP_BYTES + BATCH * CHUNK_BYTES));
  return { buffer, areSearched: [], lists: [] };
}
