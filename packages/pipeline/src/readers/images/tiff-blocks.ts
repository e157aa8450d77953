import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { inflate, zstdDecompress } from "node:zlib";
import { fromFile, getDecoder, type GeoTIFF, type ImageFileDirectory } from "geotiff";
import sharp from "sharp";
import type { TiffPage } from "./describe-tiff.ts";
import { unpackSamples, type SampleLayout } from "./unpack-samples.ts";

const inflated = promisify(inflate);
const unzstd = promisify(zstdDecompress);

/** Compressions that blocks can be unpacked from here: none, LZW, Deflate, PackBits, Zstandard, WebP. */
export const UNPACKED_HERE: ReadonlySet<number> = new Set([1, 5, 8, 32946, 32773, 50000, 50001]);

/** Rows that a strip without compression is read in, however many it has. */
const RAW_ROWS = 64;
/** Unpacked blocks kept, in numbers: neighbouring reads and the other channels of a pixel want the same ones. */
const CACHED_NUMBERS = 16e6;

/** The blocks (tiles or strips) of one image of a TIFF file. */
interface BlockLayout extends SampleLayout {
  widthPx: number;
  heightPx: number;
  tiled: boolean;
  blockWidth: number;
  blockHeight: number;
  /** Samples interleaved in a block. */
  interleaved: number;
  /** Blocks of one sample, where samples lie in planes of their own; 0 where they are interleaved. */
  planeBlocks: number;
  offsets: number[];
  lengths: number[];
  compression: number;
}

/** Reads the stored numbers of one image of a TIFF file, block by block, for what libvips does not read. */
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

  static async open(path: string, page: TiffPage): Promise<TiffBlocks> {
    const tiff = await openDirectories(path);
    try {
      return new TiffBlocks(await readLayout(tiff, page));
    } finally {
      await tiff.close();
    }
  }

  /** Stored numbers of one sample in a rectangle that lies inside the image, row by row. */
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

  #block(file: FileHandle, index: number, row: number): Promise<Float32Array> {
    const cached = this.#cache.get(index);
    if (cached) {
      // The order of a Map is that of insertion: the block goes to its end.
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
    // A read that fails once may succeed when it is tried again.
    block.catch(() => this.#cache.delete(index));
    return block;
  }

  async #unpack(file: FileHandle, index: number, row: number): Promise<Float32Array> {
    const layout = this.#layout;
    const { blockWidth, blockHeight, interleaved, compression } = layout;
    // Tiles are padded to their full height, the last strip is not.
    const rows = layout.tiled
      ? blockHeight
      : Math.min(blockHeight, layout.heightPx - row * blockHeight);
    const length = layout.lengths[index] ?? 0;
    // A block without data is all 0 (sparse files).
    if (length === 0) return new Float32Array(blockWidth * blockHeight * interleaved);
    const packed = Buffer.alloc(length);
    const { bytesRead } = await file.read(packed, 0, length, layout.offsets[index]);
    if (bytesRead < length) throw new RangeError("the file ends early");
    const bytes = await decompress(packed, compression);
    return unpackSamples(bytes, blockWidth, rows, interleaved, layout);
  }
}

async function decompress(packed: Buffer, compression: number): Promise<Uint8Array> {
  switch (compression) {
    case 1:
      return packed;
    case 8:
    case 32946:
      return inflated(packed);
    case 50000:
      return unzstd(packed);
    case 50001:
      return sharp(packed).raw().toBuffer();
    default: {
      // The decoder's own undoing of predictors knows neither odd depths nor foreign byte orders.
      const decoder = await getDecoder(compression, {
        tileWidth: 1,
        tileHeight: 1,
        predictor: 1,
        bitsPerSample: 8,
        planarConfiguration: 1,
      });
      const own = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.length);
      return new Uint8Array(await decoder.decode(own));
    }
  }
}

async function readLayout(tiff: GeoTIFF, page: TiffPage): Promise<BlockLayout> {
  let directory = await tiff.requestIFD(page.page);
  if (page.subifd >= 0) {
    const offsets = await numbersOf(directory, "SubIFDs");
    directory = await tiff.parser.parseFileDirectoryAt(offsets[page.subifd]);
  }
  const one = async (tag: string, otherwise: number): Promise<number> =>
    (await numbersOf(directory, tag))[0] ?? otherwise;
  const widthPx = await one("ImageWidth", 0);
  const heightPx = await one("ImageLength", 0);
  const samples = await one("SamplesPerPixel", 1);
  const planar = (await one("PlanarConfiguration", 1)) === 2 && samples > 1;
  const bits = await one("BitsPerSample", 1);
  const format = await one("SampleFormat", 1);
  const compression = await one("Compression", 1);
  const tiled = directory.hasTag("TileOffsets");
  const kind = tiled ? "Tile" : "Strip";
  let offsets = await numbersOf(directory, `${kind}Offsets`);
  let lengths = await numbersOf(directory, `${kind}ByteCounts`);
  const blockWidth = tiled ? await one("TileWidth", widthPx) : widthPx;
  let blockHeight = tiled
    ? await one("TileLength", heightPx)
    : Math.min(heightPx, await one("RowsPerStrip", heightPx));
  const interleaved = planar ? 1 : samples;
  const rowBytes = Math.ceil((blockWidth * interleaved * bits) / 8);
  if (!tiled && compression === 1) {
    // Rows without compression can be read one by one: a single strip may hold the whole image.
    const pieces = cutStrips(offsets, { rowBytes, stripRows: blockHeight, heightPx });
    offsets = pieces.offsets;
    lengths = pieces.lengths;
    blockHeight = pieces.rows;
  }
  return {
    widthPx,
    heightPx,
    tiled,
    blockWidth,
    blockHeight,
    interleaved,
    planeBlocks: planar ? Math.ceil(widthPx / blockWidth) * Math.ceil(heightPx / blockHeight) : 0,
    offsets,
    lengths,
    compression,
    bits,
    format: format === 2 ? "signed" : format === 3 ? "float" : "unsigned",
    littleEndian: tiff.littleEndian,
    // Samples of WebP come as colours, whatever the tags say.
    predictor: compression === 50001 ? 1 : await one("Predictor", 1),
  };
}

function cutStrips(
  offsets: readonly number[],
  { rowBytes, stripRows, heightPx }: { rowBytes: number; stripRows: number; heightPx: number },
): { offsets: number[]; lengths: number[]; rows: number } {
  // A divisor of the strip's rows, so that pieces and strips end together.
  let rows = Math.min(RAW_ROWS, stripRows);
  const wholePlane = stripRows >= heightPx;
  if (!wholePlane) while (stripRows % rows !== 0) rows--;
  const cut: { offsets: number[]; lengths: number[] } = { offsets: [], lengths: [] };
  const strips = Math.ceil(heightPx / stripRows);
  offsets.forEach((offset, strip) => {
    const top = (strip % strips) * stripRows;
    const height = Math.min(stripRows, heightPx - top);
    for (let y = 0; y < height; y += rows) {
      cut.offsets.push(offset + y * rowBytes);
      cut.lengths.push(Math.min(rows, height - y) * rowBytes);
    }
  });
  return { ...cut, rows };
}

/** Opens the directories of a TIFF file; the caller closes it. */
export async function openDirectories(path: string): Promise<GeoTIFF> {
  const tiff = await fromFile(path);
  // geotiff 3.0.5 reads arrays that it fetches later as little-endian whatever the file is: all are fetched at once.
  if (!tiff.littleEndian) tiff.parser.eager = true;
  return tiff;
}

/** Numbers of a tag; none where the directory lacks it. */
export async function numbersOf(directory: ImageFileDirectory, tag: string): Promise<number[]> {
  const value: unknown = await directory.loadValue(tag as "ImageWidth");
  if (value === undefined || value === null) return [];
  return typeof value === "number" || typeof value === "bigint"
    ? [Number(value)]
    : Array.from(value as ArrayLike<number | bigint>, Number);
}
