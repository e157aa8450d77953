import type { StainModel } from "../../facts.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { opticalDensityTable, separateStains } from "../1-optical-decomposition/separate-stains.ts";
import type { WorkingGrid } from "./tile-plan.ts";

/** A rectangle of the working grid, px. */
export interface WorkingRect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface StainPlanes {
  /** What nuclei stand out in, ≥ 0, not smoothed. */
  signal: Float32Array;
  /** What is measured in cells, by name; the nuclear stain comes first. */
  planes: Float32Array[];
  /** Colours of a brightfield image, interleaved; null for fluorescence. */
  rgb: Uint8Array | null;
}

const MAX_CHANNELS = 6;

/** Names of the planes that an image gives, nuclear stain first. */
export function planeNames(
  image: Pick<TissueImage, "channels" | "channelNames">,
  stain: StainModel,
): string[] {
  if (!stain.fluorescence) return ["hematoxylin", "eosin", "od_red", "od_green", "od_blue"];
  return channelOrder(image.channels, stain.fluorescence.nuclearChannel).map((channel) => {
    const name = image.channelNames[channel]?.toLowerCase().replace(/[^a-z0-9]+/g, "_");
    return name ? `channel_${channel + 1}_${name}` : `channel_${channel + 1}`;
  });
}

function channelOrder(channels: number, nuclear: number): number[] {
  const others = Array.from({ length: channels }, (_, channel) => channel).filter(
    (channel) => channel !== nuclear,
  );
  return [nuclear, ...others].slice(0, MAX_CHANNELS);
}

/** Reads a rectangle of the working grid and separates its stains. O(pixels read). */
export async function readStainPlanes(
  image: TissueImage,
  stain: StainModel,
  grid: WorkingGrid,
  rect: WorkingRect,
  signal?: AbortSignal,
): Promise<StainPlanes> {
  const x = Math.round(rect.x * grid.step);
  const y = Math.round(rect.y * grid.step);
  const region = {
    x,
    y,
    width: Math.max(1, Math.min(image.widthPx, Math.round((rect.x + rect.width) * grid.step)) - x),
    height: Math.max(
      1,
      Math.min(image.heightPx, Math.round((rect.y + rect.height) * grid.step)) - y,
    ),
    outWidth: rect.width,
    outHeight: rect.height,
    signal,
  };
  if (!stain.fluorescence) {
    const { data } = await image.getRegion(region);
    return brightfieldPlanes(data, stain);
  }
  const { nuclearChannel, ranges } = stain.fluorescence;
  const planes: Float32Array[] = [];
  for (const channel of channelOrder(image.channels, nuclearChannel)) {
    const { data } = await image.getChannel(channel, region);
    const [low, high] = ranges[channel];
    planes.push(Float32Array.from(data, (value) => Math.max(0, (value - low) / (high - low))));
  }
  // Nuclei differ in brightness by far more than in optical density; the root brings dim ones up.
  return { signal: planes[0].map((value) => Math.sqrt(Math.min(1, value))), planes, rgb: null };
}

/**
 * Haematoxylin and eosin in units of the slide's 99th percentile, and the optical density of each colour. Nuclei are
 * looked for in the red optical density: eosin hardly absorbs red, so it needs no trust in the stain vectors.
 */
export function brightfieldPlanes(rgb: Uint8Array, stain: StainModel): StainPlanes {
  const { hematoxylin, eosin } = separateStains(rgb, stain);
  const n = hematoxylin.length;
  const tables = stain.background.map(opticalDensityTable);
  const densities = tables.map(() => new Float32Array(n));
  for (let i = 0; i < n; i++) {
    hematoxylin[i] /= stain.maxHematoxylin;
    eosin[i] /= stain.maxEosin;
    for (let c = 0; c < 3; c++) densities[c][i] = tables[c][rgb[3 * i + c]];
  }
  return { signal: densities[0], planes: [hematoxylin, eosin, ...densities], rgb };
}
