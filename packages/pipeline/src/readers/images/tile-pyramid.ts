import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { throwIfCancelled } from "../../errors.ts";

const deflated = promisify(deflate);

/** Side of a tile; tiles at the right and lower edge are filled up with zeros. */
export const TILE_PX = 512;
/** Smaller versions are made until both sides are at most this. */
const SMALLEST_PX = 512;

/** How an image's rows come: 8 or 16 bits, one sample a pixel or red, green and blue side by side. */
export interface RowFormat {
  widthPx: number;
  heightPx: number;
  bits: 8 | 16;
  samples: 1 | 3;
}

/** A tile of a version (0 = full size), little-endian, compressed by Deflate with zlib's frame. */
export interface PackedTile {
  level: number;
  column: number;
  row: number;
  bytes: Buffer;
}

/** Sizes of an image and its smaller versions, each half of the one before. */
export function pyramidSizes(
  widthPx: number,
  heightPx: number,
): { width: number; height: number }[] {
  const sizes = [{ width: widthPx, height: heightPx }];
  for (;;) {
    const { width, height } = sizes.at(-1)!;
    if (Math.max(width, height) <= SMALLEST_PX) return sizes;
    sizes.push({ width: Math.ceil(width / 2), height: Math.ceil(height / 2) });
  }
}

/**
 * Cuts an image and its smaller versions (means of 2 × 2 pixels) into packed tiles. Every row is read once, from top to
 * bottom; memory is a row of tiles a version. `put` gets one tile at a time, those of a version row by row.
 * Stops between rows of tiles when `signal` is aborted. O(pixels).
 */
export async function packTiles(
  format: RowFormat,
  rows: (y: number, count: number) => Promise<Uint16Array | Uint8Array>,
  put: (tile: PackedTile) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const versions = pyramidSizes(format.widthPx, format.heightPx).map(
    (size, level) => new Version(level, size, format, put),
  );
  versions.forEach((version, level) => (version.smaller = versions[level + 1] ?? null));
  for (let y = 0; y < format.heightPx; y += TILE_PX) {
    throwIfCancelled(signal);
    const count = Math.min(TILE_PX, format.heightPx - y);
    await versions[0].take(await rows(y, count), count);
  }
}

/** One size of an image: collects rows into rows of tiles, and hands each row of tiles on at half the size. */
class Version {
  readonly width: number;
  smaller: Version | null = null;
  readonly #height: number;
  readonly #level: number;
  readonly #bits: 8 | 16;
  readonly #samples: 1 | 3;
  readonly #put: (tile: PackedTile) => Promise<void>;
  readonly #band: Uint16Array;
  #rows = 0;
  #done = 0;

  constructor(
    level: number,
    { width, height }: { width: number; height: number },
    { bits, samples }: RowFormat,
    put: (tile: PackedTile) => Promise<void>,
  ) {
    this.#level = level;
    this.width = width;
    this.#height = height;
    this.#bits = bits;
    this.#samples = samples;
    this.#put = put;
    this.#band = new Uint16Array(samples * width * TILE_PX);
  }

  /** Takes the next `count` rows: never more than a row of tiles still holds. */
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
    // All tiles of the row are packed at once, in zlib's threads.
    const packed = await Promise.all(
      Array.from({ length: across }, (_, column) => deflated(this.#tile(column), { level: 1 })),
    );
    const row = Math.floor(this.#done / TILE_PX);
    for (const [column, bytes] of packed.entries()) {
      await this.#put({ level: this.#level, column, row, bytes });
    }
  }

  #tile(column: number): Buffer {
    const size = this.#samples * TILE_PX ** 2;
    const tile = this.#bits === 16 ? new Uint16Array(size) : new Uint8Array(size);
    const left = this.#samples * column * TILE_PX;
    const right = Math.min(this.#samples * this.width, left + this.#samples * TILE_PX);
    for (let y = 0; y < this.#rows; y++) {
      const from = y * this.#samples * this.width;
      tile.set(this.#band.subarray(from + left, from + right), y * this.#samples * TILE_PX);
    }
    return Buffer.from(tile.buffer, tile.byteOffset, tile.byteLength);
  }

  /** Means of 2 × 2 pixels; a last odd row or column stands for itself. */
  #halved(rows: number): Uint16Array {
    const { width } = this.smaller!;
    const n = this.#samples;
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
