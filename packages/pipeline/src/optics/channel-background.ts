import { throwIfCancelled } from "../errors.ts";
import type { ChannelBackground, StainModel } from "../facts.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";

/** Side of the squares from which the background is taken; a few cells wide, so that each shows some background. */
const SQUARE_UM = 64;
/** Maximum number of squares per side: 8 bytes each are sent to every tile. */
const MAX_SQUARES = 160;
/** Pixels per side at which a square is read. */
const SQUARE_PX = 32;
/** Share of a square's pixels that lie between nuclei, even where these are dense. */
const GROUND = 0.1;
/** Bright areas up to 2 · REACH + 1 squares wide are not background. */
const REACH = 1;
/** Pixels read at a time. */
const BAND_PX = 16e6;

/**
 * The slowly varying background of each fluorescence channel: stray light, autofluorescence, and uneven illumination,
 * but no cells. The tenth percentile of squares of 64 µm, opened (minimum, then maximum over 3 × 3 squares) and
 * smoothed. O(pixels) to read, 32 MB; the channels are read in bands at about 2 µm per pixel.
 */
export async function channelBackgrounds(
  image: TissueImage,
  options: {
    umPerPixel: number;
    signal: AbortSignal;
    /** 1 = outside the scan, on a grid over the whole image. */
    outside?: { mask: Uint8Array; width: number; height: number } | null;
  },
): Promise<ChannelBackground[]> {
  const squares = (px: number): number =>
    Math.min(MAX_SQUARES, Math.max(1, Math.round((px * options.umPerPixel) / SQUARE_UM)));
  const columns = squares(image.widthPx);
  const rows = squares(image.heightPx);
  const isOutside = outsideSquares(options.outside, columns, rows);
  const backgrounds: ChannelBackground[] = [];
  for (let channel = 0; channel < image.channels; channel++) {
    const ground = await groundOf(image, channel, columns, rows, options.signal);
    if (isOutside) fillFromScan(ground, isOutside, columns);
    backgrounds.push({
      columns,
      rows,
      values: smoothed(opened(ground, columns, rows), columns, rows),
    });
  }
  return backgrounds;
}

async function groundOf(
  image: TissueImage,
  channel: number,
  columns: number,
  rows: number,
  signal: AbortSignal,
): Promise<Float64Array> {
  const ground = new Float64Array(columns * rows);
  const outWidth = Math.min(image.widthPx, columns * SQUARE_PX);
  const bandRows = Math.max(1, Math.floor(BAND_PX / (outWidth * SQUARE_PX)));
  const top = (row: number): number => Math.round((row * image.heightPx) / rows);
  const left = (column: number): number => Math.round((column * outWidth) / columns);
  for (let from = 0; from < rows; from += bandRows) {
    throwIfCancelled(signal);
    const to = Math.min(rows, from + bandRows);
    const y = top(from);
    const height = top(to) - y;
    const outHeight = Math.min(height, (to - from) * SQUARE_PX);
    const region = { x: 0, y, width: image.widthPx, height, outWidth, outHeight, signal };
    const { data } = await image.getChannel(channel, region);
    const line = (row: number): number => Math.round(((row - from) * outHeight) / (to - from));
    for (let row = from; row < to; row++) {
      for (let column = 0; column < columns; column++) {
        const [x0, x1] = [left(column), left(column + 1)];
        const [y0, y1] = [line(row), line(row + 1)];
        const values = new Uint16Array((x1 - x0) * (y1 - y0));
        for (let v = y0; v < y1; v++) {
          values.set(data.subarray(v * outWidth + x0, v * outWidth + x1), (v - y0) * (x1 - x0));
        }
        ground[row * columns + column] = values.sort()[Math.floor(GROUND * (values.length - 1))];
      }
    }
  }
  return ground;
}

/** 1 = the square touches an area outside the scan; null if none does, or every one. */
function outsideSquares(
  outside: { mask: Uint8Array; width: number; height: number } | null | undefined,
  columns: number,
  rows: number,
): Uint8Array | null {
  if (!outside) return null;
  const squares = new Uint8Array(columns * rows);
  for (let y = 0; y < outside.height; y++) {
    const row = Math.floor((y * rows) / outside.height) * columns;
    for (let x = 0; x < outside.width; x++) {
      if (!outside.mask[y * outside.width + x]) continue;
      squares[row + Math.floor((x * columns) / outside.width)] = 1;
    }
  }
  return squares.includes(0) ? squares : null;
}

/** Gives squares outside the scan the background of the nearest ones inside, ring by ring. */
function fillFromScan(ground: Float64Array, outside: Uint8Array, columns: number): void {
  let missing = outside.slice();
  while (missing.includes(1)) {
    const rest = missing.slice();
    missing.forEach((isMissing, k) => {
      if (!isMissing) return;
      const near = [
        ...(k % columns > 0 ? [k - 1] : []),
        ...((k + 1) % columns > 0 ? [k + 1] : []),
        k - columns,
        k + columns,
      ].filter((at) => missing[at] === 0);
      if (near.length === 0) return;
      ground[k] = near.reduce((sum, at) => sum + ground[at], 0) / near.length;
      rest[k] = 0;
    });
    missing = rest;
  }
}

/**
 * Grayscale opening. Beyond the border, the grid is extrapolated with the same slope, so that slopes are kept up to the
 * edge.
 */
function opened(grid: Float64Array, columns: number, rows: number): Float64Array {
  const pad = 2 * REACH;
  const wide = columns + 2 * pad;
  const high = rows + 2 * pad;
  const at = (column: number, row: number): number => grid[row * columns + column];
  const beyond = (i: number, n: number, value: (i: number) => number): number => {
    if (i >= 0 && i < n) return value(i);
    const rim = i < 0 ? 0 : n - 1;
    const mirror = Math.max(0, Math.min(n - 1, 2 * rim - i));
    return 2 * value(rim) - value(mirror);
  };
  const padded = Float64Array.from({ length: wide * high }, (_, k) =>
    beyond(Math.floor(k / wide) - pad, rows, (row) =>
      beyond((k % wide) - pad, columns, (column) => at(column, row)),
    ),
  );
  const least = neighborhood(padded, wide, high, (values) => Math.min(...values));
  const open = neighborhood(least, wide, high, (values) => Math.max(...values));
  return Float64Array.from(
    grid,
    (_, k) => open[(Math.floor(k / columns) + pad) * wide + (k % columns) + pad],
  );
}

function smoothed(grid: Float64Array, columns: number, rows: number): number[] {
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  return Array.from(neighborhood(grid, columns, rows, mean), (value) =>
    Math.max(0, Math.round(10 * value) / 10),
  );
}

/** `of` applied to each square and its neighbors up to REACH squares away. */
function neighborhood(
  grid: Float64Array,
  columns: number,
  rows: number,
  of: (values: number[]) => number,
): Float64Array {
  return Float64Array.from(grid, (_, k) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    const values: number[] = [];
    for (let r = Math.max(0, row - REACH); r <= Math.min(rows - 1, row + REACH); r++) {
      for (let c = Math.max(0, column - REACH); c <= Math.min(columns - 1, column + REACH); c++) {
        values.push(grid[r * columns + c]);
      }
    }
    return of(values);
  });
}

/**
 * A rectangle in which a channel was read: its corner in image px, its size in pixels read, and image px per pixel
 * read.
 */
export interface ReadPlace {
  x: number;
  y: number;
  width: number;
  height: number;
  step: number;
}

/**
 * A channel's values minus its background, never negative. The background is interpolated between the centers of its
 * squares by image position alone, so that tiles agree wherever they overlap. O(pixels).
 */
export function withoutBackground(
  values: ArrayLike<number>,
  background: ChannelBackground | undefined,
  place: ReadPlace,
  image: { widthPx: number; heightPx: number },
): Float32Array {
  const result = Float32Array.from(values);
  if (!background) return result;
  const { columns, rows, values: grid } = background;
  const { x, y, width, height, step } = place;
  const [from, share] = positions(x, width, step, columns / image.widthPx, columns);
  for (let v = 0; v < height; v++) {
    const [[row], [fy]] = positions(y + v * step, 1, step, rows / image.heightPx, rows);
    const upper = row * columns;
    const lower = Math.min(rows - 1, row + 1) * columns;
    for (let u = 0; u < width; u++) {
      const a = from[u];
      const b = Math.min(columns - 1, a + 1);
      const fx = share[u];
      const ground =
        (1 - fy) * ((1 - fx) * grid[upper + a] + fx * grid[upper + b]) +
        fy * ((1 - fx) * grid[lower + a] + fx * grid[lower + b]);
      const i = v * width + u;
      result[i] = Math.max(0, result[i] - ground);
    }
  }
  return result;
}

/**
 * For pixels from `start` on: the last square whose center precedes the pixel, and how far the pixel is toward the next
 * one.
 */
function positions(
  start: number,
  count: number,
  step: number,
  perPixel: number,
  squares: number,
): [Int32Array, Float64Array] {
  const before = new Int32Array(count);
  const share = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const at = (start + (i + 0.5) * step) * perPixel - 0.5;
    const within = Math.max(0, Math.min(squares - 1, at));
    before[i] = Math.floor(within);
    share[i] = within - before[i];
  }
  return [before, share];
}

/** A channel as used in step 2: without its background, 0 at the channel's low end and 1 at its high end. */
export function scaledChannel(
  values: ArrayLike<number>,
  fluorescence: NonNullable<StainModel["fluorescence"]>,
  channel: number,
  place: ReadPlace,
  image: { widthPx: number; heightPx: number },
): Float32Array {
  const [low, high] = fluorescence.ranges[channel];
  const plane = withoutBackground(values, fluorescence.backgrounds?.[channel], place, image);
  for (let i = 0; i < plane.length; i++) plane[i] = Math.max(0, (plane[i] - low) / (high - low));
  return plane;
}
