import { requireInside } from "./display-ranges.ts";
import { storedPlace, swapsSides, type Orientation } from "@stipple/formats/tiff/orientation";
import type { ImageRegion, Pixels, TissueImage } from "./tissue-image.ts";

/**
 * An image turned upright: sizes, regions, and pixels are in the upright frame. Each read turns the pixels of one
 * region, so memory is twice the region.
 */
export function turnedImage(stored: TissueImage, orientation: Orientation): TissueImage {
  if (orientation === 1) return stored;
  const swapped = swapsSides(orientation);
  const size = {
    widthPx: swapped ? stored.heightPx : stored.widthPx,
    heightPx: swapped ? stored.widthPx : stored.heightPx,
  };
  const turned = async <T extends Uint8Array | Uint16Array>(
    region: ImageRegion,
    read: (region: ImageRegion) => Promise<Pixels<T>>,
  ): Promise<Pixels<T>> => {
    requireInside(region, size);
    return turnPixels(await read(storedRegion(region, size, orientation)), orientation);
  };
  return {
    ...stored,
    ...size,
    orientation: 1,
    place: null,
    getRegion: (region) => turned(region, (at) => stored.getRegion(at)),
    getChannel: (index, region) => turned(region, (at) => stored.getChannel(index, at)),
  };
}

/** The region of the stored image that shows a region of the upright one. */
function storedRegion(
  region: ImageRegion,
  upright: { widthPx: number; heightPx: number },
  orientation: Orientation,
): ImageRegion {
  const { x, y, width, height, outWidth = width, outHeight = height, signal } = region;
  const swapped = swapsSides(orientation);
  const [w, h] = [upright.widthPx, upright.heightPx];
  const ends = [
    [x, y],
    [x + width, y + height],
  ].map(([left, top]) => {
    const [s, t] = storedPlace(orientation, left / w, top / h);
    return [Math.round(s * (swapped ? h : w)), Math.round(t * (swapped ? w : h))] as const;
  });
  return {
    x: Math.min(ends[0][0], ends[1][0]),
    y: Math.min(ends[0][1], ends[1][1]),
    width: swapped ? height : width,
    height: swapped ? width : height,
    outWidth: swapped ? outHeight : outWidth,
    outHeight: swapped ? outWidth : outHeight,
    signal,
  };
}

/** Turns stored pixels upright. O(pixels). */
export function turnPixels<T extends Uint8Array | Uint16Array>(
  { data, width, height, channels }: Pixels<T>,
  orientation: Orientation,
): Pixels<T> {
  const swapped = swapsSides(orientation);
  const [outWidth, outHeight] = swapped ? [height, width] : [width, height];
  // Where the upright image's first pixel is stored, and the steps from there along its rows and columns.
  const corner = cornerOf(orientation, width, height);
  const [alongX, alongY] = stepsOf(orientation, width);
  const out = (
    data instanceof Uint16Array ? new Uint16Array(data.length) : new Uint8Array(data.length)
  ) as T;
  let to = 0;
  for (let y = 0; y < outHeight; y++) {
    let from = corner + y * alongY;
    for (let x = 0; x < outWidth; x++, from += alongX) {
      for (let c = 0; c < channels; c++) out[to++] = data[from * channels + c]!;
    }
  }
  return { data: out, width: outWidth, height: outHeight, channels };
}

function cornerOf(orientation: Orientation, width: number, height: number): number {
  const [s, t] = storedPlace(orientation, 0, 0);
  return t * (height - 1) * width + s * (width - 1);
}

/** Stored pixels from one upright pixel to the next in its row, and in its column. */
function stepsOf(orientation: Orientation, width: number): [number, number] {
  const [s0, t0] = storedPlace(orientation, 0, 0);
  const step = (u: number, v: number): number => {
    const [s, t] = storedPlace(orientation, u, v);
    return (t - t0) * width + (s - s0);
  };
  return [step(1, 0), step(0, 1)];
}
