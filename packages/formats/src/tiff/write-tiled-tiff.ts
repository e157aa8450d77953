import { open, type FileHandle } from "node:fs/promises";
import { packTiles, pyramidSizes, TILE_PX, type RowFormat } from "./tile-pyramid.ts";

/** One page of an image to write, provided in bands of rows from top to bottom, with interleaved samples. */
export interface TiledPage {
  /** Rows y ≤ row < y + count of the full image. */
  rows(y: number, count: number): Promise<Uint16Array | Uint8Array>;
}

/**
 * Writes channels as the pages of a tiled BigTIFF, or colors as its only page, each with its smaller versions
 * as SubIFDs: 8 or 16 bits, Deflate. Each source row is read once; memory is a few rows of tiles per version.
 * Stops between rows of tiles when `signal` is aborted. O(pixels).
 */
export async function writeTiledTiff(
  path: string,
  image: {
    widthPx: number;
    heightPx: number;
    bits: 8 | 16;
    /** Samples per pixel of each page: 1, or 3 for red, green, and blue. */
    samples?: 1 | 3;
    channelNames: readonly string[];
    pages: readonly TiledPage[];
  },
  signal: AbortSignal,
): Promise<void> {
  await using file = await open(path, "w");
  const out = new BigTiff(file);
  const { widthPx, heightPx, bits, samples = 1 } = image;
  for (const [channel, page] of image.pages.entries()) {
    const versions = pyramidSizes(widthPx, heightPx).map((size): Version => ({
      ...size,
      bits,
      samples,
      offsets: [],
      lengths: [],
    }));
    await packTiles(
      { widthPx, heightPx, bits, samples },
      (y, count) => page.rows(y, count),
      async ({ level, bytes }) => {
        versions[level].offsets.push(await out.append(bytes));
        versions[level].lengths.push(bytes.length);
      },
      signal,
    );
    await out.addPage(versions, image.channelNames[channel] ?? "");
  }
  await out.finish();
}

/** One size of a page, and the locations of its tiles in the file. */
interface Version extends Pick<RowFormat, "bits" | "samples"> {
  width: number;
  height: number;
  offsets: number[];
  lengths: number[];
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
    // Directories must start at even offsets.
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
