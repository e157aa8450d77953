import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { packedChunks, type PackedChunks } from "./packed-chunks.ts";
import type { Dataset } from "./library.ts";
import { numbersOf, type Numbers } from "./values.ts";

/** An array in which only every `stride`th number counts. */
export interface Strided {
  numbers: ArrayLike<number>;
  stride: number;
}

/**
 * Reads whole numbers from a one-dimensional dataset, piece by piece. Chunks in the form that Space Ranger
 * writes are unpacked by Node's zlib; all others are read by HDF5 in WebAssembly, which is slower. Both zlib
 * and file reads are synchronous on purpose: results from other threads would be in another core's cache, which
 * costs an eighth of the total time.
 */
export class WholeNumbers {
  readonly #dataset: Dataset;
  readonly #file: FileHandle;
  #packed: Promise<PackedChunks | null> | null = null;
  /** The last unpacked chunk, if only part of it was used: the next piece may start within it. */
  #last: { n: number; bytes: Buffer<ArrayBuffer> } | null = null;
  /** Buffer for each compressed chunk. */
  #raw = Buffer.alloc(0);
  /** Buffer for each piece. */
  #buffer = new ArrayBuffer(0);

  constructor(dataset: Dataset, file: FileHandle) {
    this.#dataset = dataset;
    this.#file = file;
  }

  /** Elements `start` ≤ k < `end`. Valid until the next piece is read. */
  async read(start: number, end: number): Promise<Strided> {
    this.#packed ??= packedChunks(this.#dataset, this.#file);
    const packed = await this.#packed;
    if (packed === null) return strided(numbersOf(this.#dataset, [[start, end]]));
    const { signed, size } = this.#dataset.metadata;
    const bytes = 4 * (end - start);
    if (this.#buffer.byteLength < bytes) this.#buffer = new ArrayBuffer(bytes);
    const out = new Int32Array(this.#buffer, 0, end - start);
    const { length } = packed;
    let fits = true;
    for (let n = Math.floor(start / length); n * length < end; n++) {
      const [from, to] = [Math.max(start, n * length), Math.min(end, (n + 1) * length)];
      const within = { from: from - n * length, to: to - n * length, at: from - start };
      const chunk = this.#last?.n === n ? this.#last.bytes : this.#unpack(packed, n);
      fits = putLowHalves(out, chunk, packed, within) && fits;
      this.#last = within.to < length ? { n, bytes: chunk } : null;
      if (this.#last === null) release(chunk);
    }
    if (!fits) return strided(numbersOf(this.#dataset, [[start, end]]));
    const numbers = signed && size === 4 ? out : new Uint32Array(this.#buffer, 0, end - start);
    return { numbers, stride: 1 };
  }

  #unpack(packed: PackedChunks, n: number): Buffer<ArrayBuffer> {
    const { at, bytes } = packed.places[n];
    const whole = packed.length * packed.size;
    if (this.#raw.length < bytes) this.#raw = Buffer.allocUnsafeSlow(bytes);
    const bytesRead = readSync(this.#file.fd, this.#raw, 0, bytes, at);
    // Throws if the checksum at the chunk's end is another. Once its output buffer is full, zlib allocates a second one
    // unless it has already reached the end.
    const unpacked = inflateSync(this.#raw.subarray(0, bytesRead), {
      chunkSize: whole + 64,
      maxOutputLength: whole,
    });
    if (unpacked.length !== whole) throw new RangeError(`Chunk ${n} has ${unpacked.length} bytes`);
    return unpacked;
  }
}

/**
 * Copies elements `from` ≤ i < `to` of a chunk into `out`, at `at`. For 64-bit integers only the low halves are
 * used: no count or feature needs more. Returns whether that is so.
 */
function putLowHalves(
  out: Int32Array,
  bytes: Buffer,
  { length, size, isShuffled }: PackedChunks,
  { from, to, at }: { from: number; to: number; at: number },
): boolean {
  if (isShuffled) {
    const upper = size === 8 ? [4, 5, 6, 7] : [];
    if (!upper.every((plane) => isZero(bytes, length, plane))) return false;
    // Counts rarely need more than their lowest byte, features rarely more than two.
    if (isZero(bytes, length, 2) && isZero(bytes, length, 3)) {
      if (isZero(bytes, length, 1)) out.set(bytes.subarray(from, to), at);
      else for (let i = from; i < to; i++) out[at++] = bytes[i] | (bytes[length + i] << 8);
      return true;
    }
    const [second, third, fourth] = [length, 2 * length, 3 * length];
    for (let i = from; i < to; i++) {
      const low = bytes[i] | (bytes[second + i] << 8);
      out[at++] = low | (bytes[third + i] << 16) | (bytes[fourth + i] << 24);
    }
    return true;
  }
  const stride = size / 4;
  const halves = new Int32Array(bytes.buffer, bytes.byteOffset, length * stride);
  if (stride === 1) {
    out.set(halves.subarray(from, to), at);
    return true;
  }
  let upper = 0;
  for (let i = from; i < to; i++) {
    out[at++] = halves[2 * i]!;
    upper |= halves[2 * i + 1];
  }
  return upper === 0;
}

/**
 * Frees the memory immediately. It is outside V8's heap: if left to the garbage collector, chunks would trigger
 * it every few milliseconds, and zlib would never get memory that is already in the CPU cache. That costs a
 * fifth of the total time.
 */
function release({ buffer }: Buffer<ArrayBuffer>): void {
  buffer.transfer(0);
}

/** Whether all bytes of a plane are 0: the first one is, and each equals the previous one. */
function isZero(bytes: Buffer, length: number, plane: number): boolean {
  const [from, to] = [plane * length, (plane + 1) * length];
  return bytes[from] === 0 && bytes.compare(bytes, from, to - 1, from + 1, to) === 0;
}

/**
 * A view of integers or floats as numbers. Only the low halves of 64-bit integers are read (every second 32-bit
 * word), which avoids millions of BigInts, unless one needs its upper half: feature indices and counts are far below
 * 2³².
 */
function strided(value: Numbers): Strided {
  if (value instanceof BigInt64Array || value instanceof BigUint64Array) {
    const halves = new Uint32Array(value.buffer, value.byteOffset, 2 * value.length);
    let upper = 0;
    for (let i = 1; i < halves.length; i += 2) upper |= halves[i];
    return upper === 0
      ? { numbers: halves, stride: 2 }
      : { numbers: Float64Array.from(value as BigInt64Array, Number), stride: 1 };
  }
  return { numbers: value, stride: 1 };
}
