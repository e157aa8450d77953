import { backgroundOf } from "./estimate-stains.ts";
import { opticalDensityTable, type Triple } from "./separate-stains.ts";
import type { TissueImage } from "../readers/images/tissue-image.ts";

/** Maximum number of channels used to check positions against the image. */
const MAX_PLANES = 4;

export interface Overview {
  /** Optical density of each color, or the logarithm of each channel. */
  planes: Float32Array[];
  /** High where there is tissue. */
  signal: Float32Array;
  floor: number;
  ceiling: number;
  background: Triple;
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
  const region = {
    x: 0,
    y: 0,
    width: image.widthPx,
    height: image.heightPx,
    outWidth: width,
    outHeight: height,
    signal,
  };
  if (fluorescent) {
    const sum = new Float32Array(width * height);
    const planes: Float32Array[] = [];
    for (let channel = 0; channel < image.channels; channel++) {
      const { data } = await image.getChannel(channel, region);
      for (let i = 0; i < data.length; i++) sum[i] += data[i];
      if (channel < MAX_PLANES)
        planes.push(Float32Array.from(data, (value) => Math.log(value + 1)));
    }
    const values = sum.map((value) => Math.log(value + 1));
    return {
      planes,
      signal: values,
      floor: -Infinity,
      ceiling: Infinity,
      background: [255, 255, 255],
    };
  }
  const { data } = await image.getRegion(region);
  const background = backgroundOf(data);
  const tables = background.map(opticalDensityTable);
  const planes = tables.map((table, c) =>
    Float32Array.from({ length: width * height }, (_, i) => table[data[3 * i + c]]),
  );
  const values = planes[0].map((red, i) => Math.max(red, planes[1][i], planes[2][i]));
  // These limits keep tissue that fills the image from being split, and an empty slide from being split within
  // its noise.
  return { planes, signal: values, floor: 0.08, ceiling: 0.2, background };
}
