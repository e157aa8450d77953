import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { throwIfCancelled } from "@stipple/tasks/cancellation";

const deflated = promisify(deflate);

/** Side length of a tile. */
export const TILE_PX = 512;
/** How the tiles of a pyramid are encoded. */
export interface TileEncoding {
  /** Smaller versions are made until both sides are at most this long. */
  smallestPx: number;
  /** Whether tiles at the right and bottom edges are padded with zeros. */
  filledUp: boolean;
  /** Rows of `width` pixels, with interleaved samples. */
  encode(pixels: Uint8Array | Uint16Array, width: number, height: number): Promise<Uint8Array>;
}

/** Little-endian numbers, deflate-compressed in a zlib frame. */
const DEFLATED: TileEncoding = {
  smallestPx: 512,
  filledUp: true,
  encode: ({ buffer, byteOffset, byteLength }) =>
    deflated(Buffer.from(buffer, byteOffset, byteLength), { level: 1 }),
};

/** Format of an image's rows: 8 or 16 bits, one sample per pixel or interleaved red, green, and blue. */
export interface RowFormat {
  widthPx: number;
  heightPx: number;
  bits: 8 | 16;
  samples: 1 | 3;
}

/** An encoded tile of a version (0 = full size). */
export interface PackedTile {
  level: number;
  column: number;
  row: number;
  bytes: Uint8Array;
}

/** Sizes of an image and its smaller versions, each half the size of the previous one. */
export function pyramidSizes(
  widthPx: number,
  heightPx: number,
  smallestPx = DEFLATED.smallestPx,
): { width: number; height: number }[] {
  const sizes = [{ width: widthPx, height: heightPx }];
  for (;;) {
    const { width, height } = sizes.at(-1)!;
    if (Math.max(width, height) <= smallestPx) return sizes;
    sizes.push({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  }
}

/**
 * Cuts an image and its smaller versions (means of 2 × 2 pixels) into encoded tiles. Each row is read once,
 * from top to bottom; memory is one row of tiles per version. `put` gets one tile at a time, in row order
 * within each version. Stops between rows of tiles when `signal` is aborted. O(pixels).
 */
export async function packTiles(
  format: RowFormat,
  rows: (y: number, count: number) => Promise<Uint16Array | Uint8Array>,
  put: (tile: PackedTile) => Promise<void>,
  signal: AbortSignal,
  encoding: TileEncoding = DEFLATED,
): Promise<void> {
  const { widthPx, heightPx } = format;
  const versions = pyramidSizes(widthPx, heightPx, encoding.smallestPx).map(
    (size, level) => new Version(level, size, format, encoding, put),
  );
  versions.forEach((version, level) => (version.smaller = versions[level + 1] ?? null));
  for (let y = 0; y < heightPx; y += TILE_PX) {
    throwIfCancelled(signal);
    const count = Math.min(TILE_PX, heightPx - y);
    await versions[0].take(await rows(y, count), count);
  }
}

/** One size of an image: collects rows into rows of tiles, and passes each row of tiles on at half size. */
class Version {
  readonly width: number;
  smaller: Version | null = null;
  readonly #height: number;
  readonly #level: number;
  readonly #bits: 8 | 16;
  readonly #samples: 1 | 3;
  readonly #encoding: TileEncoding;
  readonly #put: (tile: PackedTile) => Promise<void>;
  readonly #band: Uint16Array | Uint8Array;
  #rows = 0;
  #done = 0;

  constructor(
    level: number,
    { width, height }: { width: number; height: number },
    { bits, samples }: RowFormat,
    encoding: TileEncoding,
    put: (tile: PackedTile) => Promise<void>,
  ) {
    this.#level = level;
    this.width = width;
    this.#height = height;
    this.#bits = bits;
    this.#samples = samples;
    this.#encoding = encoding;
    this.#put = put;
    this.#band = this.#numbers(samples * width * Math.min(TILE_PX, height));
  }

  #numbers(length: number): Uint16Array | Uint8Array {
    return this.#bits === 16 ? new Uint16Array(length) : new Uint8Array(length);
  }

  /** Takes the next `count` rows, at most as many as still fit in the current row of tiles. */
  async take(rows: Uint16Array | Uint8Array, count: number): Promise<void> {
    const row = this.#samples * this.width;
    this.#band.set(rows.subarray(0, count * row), this.#rows * row);
    this.#rows += count;
    const last = this.#done + this.#rows === this.#height;
    if (this.#rows < TILE_PX && !last) return;
    await this.#putTiles();
    if (this.smaller) {
      const half = Math.ceil(this.#rows / 2);
      await this.smaller.take(this.#halved(half), half);
    }
    this.#done += this.#rows;
    this.#rows = 0;
  }

  async #putTiles(): Promise<void> {
    const across = Math.ceil(this.width / TILE_PX);
    // All tiles of the row are encoded at once, on other threads.
    const packed = await Promise.all(
      Array.from({ length: across }, (_, column) => this.#tile(column)),
    );
    const row = Math.floor(this.#done / TILE_PX);
    for (const [column, bytes] of packed.entries()) {
      await this.#put({ level: this.#level, column, row, bytes });
    }
  }

  #tile(column: number): Promise<Uint8Array> {
    const { filledUp, encode } = this.#encoding;
    const left = column * TILE_PX;
    const inside = Math.min(TILE_PX, this.width - left);
    const width = filledUp ? TILE_PX : inside;
    const height = filledUp ? TILE_PX : this.#rows;
    const tile = this.#numbers(this.#samples * width * height);
    for (let y = 0; y < this.#rows; y++) {
      const from = this.#samples * (y * this.width + left);
      tile.set(this.#band.subarray(from, from + this.#samples * inside), this.#samples * y * width);
    }
    return encode(tile, width, height);
  }

  /** Means of 2 × 2 pixels; a last odd row or column is used as is. */
  #halved(rows: number): Uint16Array | Uint8Array {
    const { width } = this.smaller!;
    const n = this.#samples;
    const out = this.#numbers(n * width * rows);
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
