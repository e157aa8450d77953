import type { ImageRegion, Pixels } from "./tissue-image.ts";

/** Composite colors of fluorescence channels, nuclear stain (blue) first. */
export const CHANNEL_COLORS: readonly (readonly [red: number, green: number, blue: number])[] = [
  [0.25, 0.4, 1],
  [0.1, 1, 0.2],
  [1, 0.15, 0.15],
  [1, 0.85, 0.1],
  [1, 0.2, 1],
  [0.2, 1, 1],
];

type ReadChannel = (index: number, region: ImageRegion) => Promise<Pixels<Uint16Array>>;
export type Range = [low: number, high: number];

/**
 * 0.1 and 99.9 percentiles of each channel (for color images: the range used), from windows spread over the
 * image.
 */
export async function displayRanges(
  size: { widthPx: number; heightPx: number; channels: number },
  read: ReadChannel,
): Promise<Range[]> {
  const ranges: Range[] = [];
  for (let c = 0; c < size.channels; c++) {
    const values: Uint16Array[] = [];
    for (const window of spreadWindows(size.widthPx, size.heightPx)) {
      values.push((await read(c, window)).data);
    }
    ranges.push(percentileRange(values));
  }
  return ranges;
}

/**
 * Combines fluorescence channels into a color image, each scaled by its range; channels after the sixth are
 * left out. Memory: the region in every channel and in color. O(pixels · channels).
 */
export async function compositeOf(
  region: ImageRegion,
  ranges: readonly Range[],
  read: ReadChannel,
): Promise<Pixels> {
  const shown = ranges.slice(0, CHANNEL_COLORS.length);
  const channels: Pixels<Uint16Array>[] = [];
  for (const c of shown.keys()) channels.push(await read(c, region));
  const { width, height } = channels[0];
  const data = new Uint8Array(width * height * 3);
  // Sums are kept for one row at a time; those for a whole band of a slide would take several times as much
  // memory as the band.
  const sums = new Float32Array(width * 3);
  for (let top = 0; top < data.length; top += sums.length) {
    sums.fill(0);
    for (const [c, [low, high]] of shown.entries()) {
      const [red, green, blue] = CHANNEL_COLORS[c];
      const values = channels[c].data;
      const range = high - low;
      const first = top / 3;
      for (let x = 0; x < width; x++) {
        const value = Math.min(1, Math.max(0, (values[first + x] - low) / range));
        sums[3 * x] += value * red;
        sums[3 * x + 1] += value * green;
        sums[3 * x + 2] += value * blue;
      }
    }
    for (let i = 0; i < sums.length; i++) data[top + i] = Math.min(255, Math.round(sums[i] * 255));
  }
  return { data, width, height, channels: 3 };
}

/** Interleaves the red, green, and blue of an image, of which `full` is the brightest, as RGB8. */
export function colorsOf(planes: readonly Pixels<Uint16Array>[], full: number): Pixels {
  const { width, height } = planes[0];
  const data = new Uint8Array(3 * width * height);
  for (const [c, plane] of planes.entries()) {
    for (let i = 0; i < plane.data.length; i++) {
      data[3 * i + c] = Math.min(255, Math.round((plane.data[i] * 255) / full));
    }
  }
  return { data, width, height, channels: 3 };
}

/**
 * Full scale of 16-bit colors, based on the number of bits that are used: programs also save 8-bit colors in
 * 16 bits. The same for all channels, to preserve the color balance.
 */
export function fullScaleOf(ranges: readonly Range[]): number {
  const top = Math.max(...ranges.map(([, high]) => high));
  return [8, 10, 12, 14, 16].map((bits) => 2 ** bits - 1).find((limit) => top <= limit) ?? 65_535;
}

/** A small image as a whole; for a large one, nine windows of 512 px in a 3 × 3 pattern. */
export function spreadWindows(widthPx: number, heightPx: number): ImageRegion[] {
  if (widthPx * heightPx <= 4_000_000) return [{ x: 0, y: 0, width: widthPx, height: heightPx }];
  const width = Math.min(512, widthPx);
  const height = Math.min(512, heightPx);
  return [0.2, 0.5, 0.8].flatMap((fy) =>
    [0.2, 0.5, 0.8].map((fx) => ({
      x: Math.round((widthPx - width) * fx),
      y: Math.round((heightPx - height) * fy),
      width,
      height,
    })),
  );
}

function percentileRange(pieces: Uint16Array[]): Range {
  const histogram = new Uint32Array(65_536);
  for (const piece of pieces) {
    for (let i = 0; i < piece.length; i++) histogram[piece[i]]++;
  }
  const low = quantileOf(histogram, 0.001);
  return [low, Math.max(low + 1, quantileOf(histogram, 0.999))];
}

/** The value below which a fraction of the values lies, by how often each occurs. */
export function quantileOf(histogram: Uint32Array, fraction: number): number {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let value = 0; value < histogram.length; value++) {
    seen += histogram[value];
    if (seen > fraction * total) return value;
  }
  return histogram.length - 1;
}

/** Throws RangeError unless the region is inside the image and aligned to whole pixels. */
export function requireInside(
  region: ImageRegion,
  image: { widthPx: number; heightPx: number },
): void {
  const { x, y, width, height } = region;
  const inside =
    [x, y, width, height].every(Number.isInteger) &&
    x >= 0 &&
    y >= 0 &&
    width > 0 &&
    height > 0 &&
    x + width <= image.widthPx &&
    y + height <= image.heightPx;
  if (inside) return;
  throw new RangeError(
    `Region ${x},${y} ${width}×${height} is not inside ${image.widthPx}×${image.heightPx} px`,
  );
}

/**
 * The smallest version of an image that is fine enough for a region at its requested size, and the region in
 * that version's pixels. `levels`: smaller versions, largest first.
 */
export function chooseLevel<L extends { widthPx: number; heightPx: number }>(
  region: ImageRegion,
  full: L,
  levels: readonly L[],
): { level: L; left: number; top: number; width: number; height: number } {
  const { x, y, width, height, outWidth = width, outHeight = height } = region;
  const shrink = Math.min(width / outWidth, height / outHeight);
  const level =
    levels.findLast((candidate) => full.widthPx / candidate.widthPx <= shrink * 1.001) ?? full;
  const factorX = level.widthPx / full.widthPx;
  const factorY = level.heightPx / full.heightPx;
  const left = Math.min(level.widthPx - 1, Math.round(x * factorX));
  const top = Math.min(level.heightPx - 1, Math.round(y * factorY));
  const right = Math.max(left + 1, Math.min(level.widthPx, Math.round((x + width) * factorX)));
  const bottom = Math.max(top + 1, Math.min(level.heightPx, Math.round((y + height) * factorY)));
  return { level, left, top, width: right - left, height: bottom - top };
}
