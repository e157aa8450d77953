import { open, rm, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { constants, deflate } from "node:zlib";

/** Elements a chunk: 256 kB of 4-byte values. */
export const CHUNK = 1 << 16;
/** Chunks that are compressed or wait to be written at a time. */
const MOST_UNDER_WAY = 16;
/** Bytes read and written at a time when the chunks move to their file. */
const COPY_BYTES = 1 << 23;

const compress = promisify(deflate);

/** A compressed chunk: where it lies among all chunks, and its bytes. */
export interface SpooledChunk {
  at: number;
  bytes: number;
}

/**
 * Chunks of an HDF5 file, compressed by Node's thread pool while their file is still being written, and collected in a
 * file beside it. The HDF5 library would compress them one after the other.
 */
export class ChunkSpool {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes = 0;
  /** Writes in the order in which chunks came, so that equal content makes equal files. */
  #last: Promise<void> = Promise.resolve();
  readonly #underWay: Promise<void>[] = [];
  /** Shuffled chunks whose memory is used again: what is left to be collected makes the collector run all the time. */
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<ChunkSpool> {
    return new ChunkSpool(path, await open(path, "w+"));
  }

  /** Adds a chunk to `chunks`. Resolves when there is room for the next one; `values` may be changed at once. */
  async add(values: Int32Array | Float32Array, chunks: SpooledChunk[]): Promise<void> {
    // In a plane of bytes of floats there is nothing to find but runs; indices and counts repeat.
    const { Z_RLE, Z_DEFAULT_STRATEGY } = constants;
    const strategy = values instanceof Float32Array ? Z_RLE : Z_DEFAULT_STRATEGY;
    // Room for the usual answer: Node would make it of pieces of 16 kB, each with a turn of the event loop.
    const chunkSize = 2 * CHUNK;
    const planes = shuffled(values, this.#spare.pop());
    const work = compress(planes, { level: 1, strategy, chunkSize });
    const before = this.#last;
    this.#last = (async () => {
      const [bytes] = await Promise.all([work, before]);
      this.#spare.push(planes);
      await writeAll(this.#file, bytes, this.#bytes);
      chunks.push({ at: this.#bytes, bytes: bytes.length });
      this.#bytes += bytes.length;
    })();
    // Heard of by whoever awaits it below or in `moveTo`.
    this.#last.catch(() => undefined);
    this.#underWay.push(this.#last);
    if (this.#underWay.length > MOST_UNDER_WAY) await this.#underWay.shift();
  }

  /** Resolves when every chunk is written. */
  async settle(): Promise<void> {
    await this.#last;
  }

  /** Copies all chunks to `file` from `position` on, and returns where they end. */
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

  /** Removes the file beside. */
  async close(): Promise<void> {
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

/** HDF5's shuffle filter: the first bytes of all values, then the second ones, and so on. */
function shuffled(
  values: Int32Array | Float32Array,
  out = new Uint8Array(4 * values.length),
): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const n = words.length;
  for (let i = 0; i < n; i++) {
    const word = words[i];
    out[i] = word;
    out[n + i] = word >>> 8;
    out[2 * n + i] = word >>> 16;
    out[3 * n + i] = word >>> 24;
  }
  return out;
}
