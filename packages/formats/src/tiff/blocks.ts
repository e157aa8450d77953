import { open, type FileHandle } from "node:fs/promises";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { sourceOf, TiffDirectories, TiffFault } from "./directories.ts";
import { readLayout, type BlockLayout } from "./layout.ts";
import { CODECS } from "./codecs/index.ts";
import { unpackSamples } from "./unpack-samples.ts";

/**
 * Size of the cache of unpacked blocks, in numbers: neighboring reads and the other channels of a pixel need
 * the same blocks.
 */
const CACHED_NUMBERS = 16e6;

const DEFLATED = [8, 32_946];
/** Blocks whose checksums are looked at together: more than zlib has threads. */
const AT_ONCE = 8;
/** Bytes of a block that are read and unpacked at a time: a single strip may contain the whole image. */
const PIECE_BYTES = 2 ** 18;

/**
 * Reads the stored numbers of one image in a TIFF file, block by block, where libvips does not support them.
 */
export class TiffBlocks {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly blockHeight: number;
  readonly #layout: BlockLayout;
  readonly #cache = new Map<number, Promise<Float32Array>>();

  private constructor(layout: BlockLayout) {
    this.#layout = layout;
    this.widthPx = layout.widthPx;
    this.heightPx = layout.heightPx;
    this.blockHeight = layout.blockHeight;
  }

  static async open(path: string, page: number, subifd: number): Promise<TiffBlocks> {
    await using file = await open(path, "r");
    const directories = await TiffDirectories.read(await sourceOf(file));
    let directory = directories.images[page];
    if (directory && subifd >= 0) {
      const [offset] = (await directory.numbers("SubIFDs")).slice(subifd);
      directory = await directories.at(offset ?? 0);
    }
    if (!directory) throw new TiffFault(`lacks image ${page + 1}`);
    return new TiffBlocks(await readLayout(directory));
  }

  /** Stored numbers of one sample in a rectangle inside the image, row by row. */
  async read(
    file: FileHandle,
    sample: number,
    rect: { x: number; y: number; width: number; height: number },
  ): Promise<Float32Array> {
    const { blockWidth, blockHeight, interleaved, planeBlocks } = this.#layout;
    const out = new Float32Array(rect.width * rect.height);
    const across = Math.ceil(this.widthPx / blockWidth);
    const within = planeBlocks > 0 ? 0 : sample;
    const lastRow = Math.floor((rect.y + rect.height - 1) / blockHeight);
    const lastColumn = Math.floor((rect.x + rect.width - 1) / blockWidth);
    for (let row = Math.floor(rect.y / blockHeight); row <= lastRow; row++) {
      for (let column = Math.floor(rect.x / blockWidth); column <= lastColumn; column++) {
        const block = await this.#block(file, sample * planeBlocks + row * across + column, row);
        const left = Math.max(rect.x, column * blockWidth);
        const right = Math.min(rect.x + rect.width, (column + 1) * blockWidth);
        const top = Math.max(rect.y, row * blockHeight);
        const bottom = Math.min(rect.y + rect.height, (row + 1) * blockHeight);
        for (let y = top; y < bottom; y++) {
          const from = (y - row * blockHeight) * blockWidth + left - column * blockWidth;
          const to = (y - rect.y) * rect.width + left - rect.x;
          if (interleaved === 1) {
            out.set(block.subarray(from, from + right - left), to);
            continue;
          }
          for (let x = 0; x < right - left; x++) {
            out[to + x] = block[(from + x) * interleaved + within];
          }
        }
      }
    }
    return out;
  }

  /**
   * Unpacks every deflated block, because libtiff does not look at their checksums; throws an Error for one that is not as
   * it was written. Does nothing for other compressions. O(bytes).
   */
  async requireSound(file: FileHandle): Promise<void> {
    const { compression, offsets, lengths } = this.#layout;
    if (!DEFLATED.includes(compression)) return;
    for (let start = 0; start < lengths.length; start += AT_ONCE) {
      const some = lengths.slice(start, start + AT_ONCE);
      await Promise.all(some.map((length, i) => inflateAll(file, offsets[start + i], length)));
    }
  }

  #block(file: FileHandle, index: number, row: number): Promise<Float32Array> {
    const cached = this.#cache.get(index);
    if (cached) {
      // A Map keeps insertion order, so this moves the block to the end.
      this.#cache.delete(index);
      this.#cache.set(index, cached);
      return cached;
    }
    const { blockWidth, blockHeight, interleaved } = this.#layout;
    const most = Math.max(2, Math.floor(CACHED_NUMBERS / (blockWidth * blockHeight * interleaved)));
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size < most) break;
      this.#cache.delete(oldest);
    }
    const block = this.#unpack(file, index, row);
    this.#cache.set(index, block);
    // A failed read may succeed when retried.
    block.catch(() => this.#cache.delete(index));
    return block;
  }

  async #unpack(file: FileHandle, index: number, row: number): Promise<Float32Array> {
    const layout = this.#layout;
    const { blockWidth, blockHeight, interleaved, compression } = layout;
    // Tiles are padded to full height; the last strip is not.
    const rows = layout.tiled
      ? blockHeight
      : Math.min(blockHeight, layout.heightPx - row * blockHeight);
    const length = layout.lengths[index] ?? 0;
    // A block without data is all 0 (sparse files).
    if (length === 0) return new Float32Array(blockWidth * blockHeight * interleaved);
    const size = Math.ceil((blockWidth * interleaved * layout.bits) / 8) * rows;
    // Compressed pixels are hardly ever larger than uncompressed ones.
    const packed = Buffer.alloc(Math.min(length, 2 * size + 2 ** 20));
    const { bytesRead } = await file.read(packed, 0, packed.length, layout.offsets[index]);
    if (bytesRead < packed.length) throw new RangeError("the file ends early");
    const unpack = CODECS.get(compression);
    if (!unpack) throw new RangeError(`compression ${compression} is not supported here`);
    const bytes = await unpack(packed, { size, pixels: blockWidth * rows });
    return unpackSamples(bytes, blockWidth, rows, interleaved, layout);
  }
}

/** Unpacks a block of a file and forgets what it holds; one without data is all 0 (sparse files). */
async function inflateAll(file: FileHandle, at: number, length: number): Promise<void> {
  if (length === 0) return;
  const forget = new Writable({ write: (_bytes, _encoding, done) => done() });
  await pipeline(pieces(file, at, length), createInflate({ chunkSize: PIECE_BYTES }), forget);
}

async function* pieces(file: FileHandle, at: number, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < length; from += PIECE_BYTES) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, length - from));
    const { bytesRead } = await file.read(piece, 0, piece.length, at + from);
    if (bytesRead < piece.length) throw new RangeError("the file ends early");
    yield piece;
  }
}
