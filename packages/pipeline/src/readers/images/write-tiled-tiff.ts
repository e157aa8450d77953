import { open, type FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { throwIfCancelled } from "../../errors.ts";

const deflated = promisify(deflate);

const TILE_PX = 512;
/** Smaller versions are written until both sides are below this. */
const SMALLEST_PX = 512;

/** One page of an image to write, given in bands of rows from top to bottom, samples of a pixel side by side. */
export interface TiledPage {
  /** Rows y ≤ row < y + count of the full image. */
  rows(y: number, count: number): Promise<Uint16Array | Uint8Array>;
}

/**
 * Writes channels as the pages of a tiled BigTIFF, or colours as its one page, each with its smaller versions as SubIFDs: 8 or
 * 16 bits, Deflate.
 * Every row of the source is read once; memory is a few rows of tiles a version. Stops between rows of tiles when
 * `signal` is aborted. O(pixels).
 */
export async function writeTiledTiff(
  path: string,
  image: {
    widthPx: number;
    heightPx: number;
    bits: 8 | 16;
    /** Samples a pixel of each page: 1, or 3 for red, green and blue. */
    samples?: 1 | 3;
    channelNames: readonly string[];
    pages: readonly TiledPage[];
  },
  signal: AbortSignal,
): Promise<void> {
  const file = await open(path, "w");
  try {
    const out = new BigTiff(file);
    for (const [channel, page] of image.pages.entries()) {
      const versions = versionSizes(image.widthPx, image.heightPx).map(
        (size) => new Version(out, size, image.bits, image.samples ?? 1),
      );
      versions.forEach((version, i) => (version.smaller = versions[i + 1] ?? null));
      for (let y = 0; y < image.heightPx; y += TILE_PX) {
        throwIfCancelled(signal);
        const count = Math.min(TILE_PX, image.heightPx - y);
        await versions[0].take(await page.rows(y, count), count);
      }
      await out.addPage(versions, image.channelNames[channel] ?? "");
    }
    await out.finish();
  } finally {
    await file.close();
  }
}

function versionSizes(width: number, height: number): { width: number; height: number }[] {
  const sizes = [{ width, height }];
  while (Math.max(sizes.at(-1)!.width, sizes.at(-1)!.height) > SMALLEST_PX) {
    const last = sizes.at(-1)!;
    sizes.push({ width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) });
  }
  return sizes;
}

/** One size of a page: collects rows into rows of tiles, and hands each row of tiles on at half the size. */
class Version {
  readonly width: number;
  readonly height: number;
  readonly bits: 8 | 16;
  readonly samples: 1 | 3;
  readonly offsets: number[] = [];
  readonly lengths: number[] = [];
  smaller: Version | null = null;
  readonly #out: BigTiff;
  readonly #band: Uint16Array;
  #rows = 0;
  #done = 0;

  constructor(
    out: BigTiff,
    { width, height }: { width: number; height: number },
    bits: 8 | 16,
    samples: 1 | 3,
  ) {
    this.#out = out;
    this.width = width;
    this.height = height;
    this.bits = bits;
    this.samples = samples;
    this.#band = new Uint16Array(samples * width * TILE_PX);
  }

  /** Takes the next `count` rows: never more than a row of tiles still holds. */
  async take(rows: Uint16Array | Uint8Array, count: number): Promise<void> {
    const row = this.samples * this.width;
    this.#band.set(rows.subarray(0, count * row), this.#rows * row);
    this.#rows += count;
    const last = this.#done + this.#rows === this.height;
    if (this.#rows < TILE_PX && !last) return;
    await this.#writeTiles();
    if (this.smaller) {
      const half = Math.ceil(this.#rows / 2);
      await this.smaller.take(this.#halved(half), half);
    }
    this.#done += this.#rows;
    this.#rows = 0;
  }

  async #writeTiles(): Promise<void> {
    const across = Math.ceil(this.width / TILE_PX);
    // All tiles of the row are packed at once, in zlib's threads.
    const packed = await Promise.all(
      Array.from({ length: across }, (_, column) => deflated(this.#tile(column), { level: 1 })),
    );
    for (const bytes of packed) {
      this.offsets.push(await this.#out.append(bytes));
      this.lengths.push(bytes.length);
    }
  }

  #tile(column: number): Buffer {
    const size = this.samples * TILE_PX ** 2;
    const tile = this.bits === 16 ? new Uint16Array(size) : new Uint8Array(size);
    const left = this.samples * column * TILE_PX;
    const right = Math.min(this.samples * this.width, left + this.samples * TILE_PX);
    for (let y = 0; y < this.#rows; y++) {
      const from = y * this.samples * this.width;
      tile.set(this.#band.subarray(from + left, from + right), y * this.samples * TILE_PX);
    }
    return Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength);
  }

  /** Means of 2 × 2 pixels; a last odd row or column stands for itself. */
  #halved(rows: number): Uint16Array {
    const { width } = this.smaller!;
    const n = this.samples;
    const out = new Uint16Array(n * width * rows);
    for (let y = 0; y < rows; y++) {
      const top = 2 * y * n * this.width;
      const bottom = Math.min(2 * y + 1, this.#rows - 1) * n * this.width;
      for (let x = 0; x < width; x++) {
        const left = 2 * x * n;
        const right = Math.min(2 * x + 1, this.width - 1) * n;
        for (let c = 0; c < n; c++) {
          const sum =
            this.#band[top + left + c] +
            this.#band[top + right + c] +
            this.#band[bottom + left + c] +
            this.#band[bottom + right + c];
          out[(y * width + x) * n + c] = (sum + 2) >> 2;
        }
      }
    }
    return out;
  }
}

type Entry = [tag: number, type: 2 | 3 | 4 | 16, values: readonly number[]];
const TYPE_BYTES = { 2: 1, 3: 2, 4: 4, 16: 8 } as const;

/** Appends blocks and directories to a little-endian BigTIFF. */
class BigTiff {
  readonly #file: FileHandle;
  #at = 16;
  #pointer = 8;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async append(bytes: Uint8Array): Promise<number> {
    const start = this.#at;
    await this.#file.write(bytes, 0, bytes.length, start);
    // Directories must begin at even places.
    this.#at += bytes.length + (bytes.length % 2);
    return start;
  }

  async addPage(versions: readonly Version[], name: string): Promise<void> {
    const subIfds: number[] = [];
    for (const version of versions.slice(1)) {
      subIfds.push((await this.#directory(version, [], null)).start);
    }
    const { start, end } = await this.#directory(versions[0], subIfds, name);
    await this.#file.write(wide([start]), 0, 8, this.#pointer);
    this.#pointer = end - 8;
  }

  async finish(): Promise<void> {
    const head = Buffer.alloc(8);
    head.write("II", 0, "latin1");
    head.writeUInt16LE(43, 2);
    head.writeUInt16LE(8, 4);
    await this.#file.write(head, 0, 8, 0);
  }

  async #directory(
    version: Version,
    subIfds: readonly number[],
    name: string | null,
  ): Promise<{ start: number; end: number }> {
    const entries: Entry[] = [
      [254, 4, [name === null ? 1 : 0]],
      [256, 4, [version.width]],
      [257, 4, [version.height]],
      [258, 3, new Array<number>(version.samples).fill(version.bits)],
      [259, 3, [8]],
      [262, 3, [version.samples === 3 ? 2 : 1]],
      [277, 3, [version.samples]],
      ...(name ? ([[285, 2, [...Buffer.from(`${name}\0`)]]] as Entry[]) : []),
      [322, 4, [TILE_PX]],
      [323, 4, [TILE_PX]],
      [324, 16, version.offsets],
      [325, 16, version.lengths],
      ...(subIfds.length > 0 ? ([[330, 16, subIfds]] as Entry[]) : []),
      [339, 3, new Array<number>(version.samples).fill(1)],
    ];
    const directory = Buffer.alloc(8 + entries.length * 20 + 8);
    directory.writeBigUInt64LE(BigInt(entries.length), 0);
    for (const [i, [tag, type, values]] of entries.entries()) {
      const at = 8 + i * 20;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeBigUInt64LE(BigInt(values.length), at + 4);
      if (values.length * TYPE_BYTES[type] > 8) {
        const bytes = type === 2 ? Buffer.from(values) : wide(values);
        directory.writeBigUInt64LE(BigInt(await this.append(bytes)), at + 12);
      } else if (type === 2) {
        Buffer.from(values).copy(directory, at + 12);
      } else if (type === 3) {
        values.forEach((value, k) => directory.writeUInt16LE(value, at + 12 + 2 * k));
      } else if (type === 4) {
        directory.writeUInt32LE(values[0], at + 12);
      } else {
        directory.writeBigUInt64LE(BigInt(values[0]), at + 12);
      }
    }
    const start = await this.append(directory);
    return { start, end: start + directory.length };
  }
}

function wide(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((value, i) => bytes.writeBigUInt64LE(BigInt(value), 8 * i));
  return bytes;
}
