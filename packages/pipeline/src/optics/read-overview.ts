import { backgroundOf } from "./estimate-stains.ts";
import { insideOf, outsideOfChannels, outsideOfColors } from "./outside-scan.ts";
import { opticalDensityTable, type Triple } from "./separate-stains.ts";
import { wholeImage, type ImageRegion, type TissueImage } from "../readers/images/tissue-image.ts";

/** A channel whose values differ by less than this share shows nothing: reducing a saturated one rounds it unevenly. */
const SAME_SHARE = 0.01;

export interface Overview {
  /** Optical density of each color, or the logarithm of each channel. */
  planes: Float32Array[];
  /** High where there is tissue. */
  signal: Float32Array;
  floor: number;
  ceiling: number;
  background: Triple;
  /** 1 = filled in by the scanner, where planes and signal are those of bare glass; null if there is no such area. */
  outside: Uint8Array | null;
}

/**
 * The image at mask resolution as one number per pixel: maximum optical density, or log of the summed channels.
 */
export async function readOverview(
  image: TissueImage,
  width: number,
  height: number,
  fluorescent: boolean,
  signal: AbortSignal,
): Promise<Overview> {
  const region = wholeImage(image, width, height, signal);
  return fluorescent ? channelsOverview(image, region) : colorsOverview(image, region);
}

type WholeRegion = ImageRegion & { outWidth: number; outHeight: number };

async function channelsOverview(image: TissueImage, region: WholeRegion): Promise<Overview> {
  const { outWidth: width, outHeight: height } = region;
  const sum = new Float32Array(width * height);
  const channels: Uint16Array[] = [];
  for (let channel = 0; channel < image.channels; channel++) {
    const { data } = await image.getChannel(channel, region);
    // A channel that is the same everywhere, as if saturated, would hide in the sum what the others show.
    const lowest = data.reduce((low, value) => Math.min(low, value), Infinity);
    if (data.some((value) => value * (1 - SAME_SHARE) > lowest)) {
      for (let i = 0; i < data.length; i++) sum[i] += data[i];
    }
    channels.push(data);
  }
  const fullScale = image.bitsPerSample > 8 ? 65_535 : 255;
  const outside = outsideOfChannels(channels, width, height, fullScale);
  const logs = (values: ArrayLike<number>): Float32Array => {
    const log = Float32Array.from(values, (value) => Math.log(value + 1));
    if (outside) fillOutside(log, outside, leastInside(log, outside));
    return log;
  };
  return {
    planes: channels.map(logs),
    signal: logs(sum),
    floor: -Infinity,
    ceiling: Infinity,
    background: [255, 255, 255],
    outside,
  };
}

async function colorsOverview(image: TissueImage, region: WholeRegion): Promise<Overview> {
  const { outWidth: width, outHeight: height } = region;
  const { data } = await image.getRegion(region);
  const outside = outsideOfColors(data, width, height);
  const background = backgroundOf(outside ? insideOf(data, outside) : data);
  const tables = background.map(opticalDensityTable);
  const planes = tables.map((table, c) =>
    Float32Array.from({ length: width * height }, (_, i) => table[data[3 * i + c]]),
  );
  if (outside) for (const plane of planes) fillOutside(plane, outside, 0);
  const values = planes[0].map((red, i) => Math.max(red, planes[1][i], planes[2][i]));
  // These limits keep tissue that fills the image from being split, and an empty slide from being split within
  // its noise.
  return { planes, signal: values, floor: 0.08, ceiling: 0.2, background, outside };
}

function fillOutside(plane: Float32Array, outside: Uint8Array, value: number): void {
  for (let i = 0; i < plane.length; i++) if (outside[i]) plane[i] = value;
}

function leastInside(plane: Float32Array, outside: Uint8Array): number {
  return plane.reduce((least, value, i) => (outside[i] ? least : Math.min(least, value)), Infinity);
}
