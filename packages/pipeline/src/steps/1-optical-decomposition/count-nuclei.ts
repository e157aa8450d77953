import { throwIfCancelled } from "../../errors.ts";
import type { StainModel } from "../../facts.ts";
import { brightnessRange, networkInput } from "../../nuclei/network-input.ts";
import { openNucleusNetwork, type NucleusMaps } from "../../nuclei/nucleus-network.ts";
import { joined } from "@stipple/numerics/joined";
import { scaledChannel } from "../../optics/channel-background.ts";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";

/** The scale at which the network was trained, and the coarsest image worth upsampling for it. */
const NETWORK_UM_PER_PX = 0.5;
const COARSEST_UM_PER_PX = 1;
/** Pixels deeper than this inside a nucleus are its core. Nuclei that touch have separate cores. */
const CORE_PROBABILITY = 0.5;
const CORE_DISTANCE = 0.5;
/** Smaller cores are dots, such as vesicles or synapses. */
const MIN_CORE_UM2 = 6;

/**
 * Number of nuclei that the network detects in each channel when it is treated as the nuclear one, over all
 * windows; null if the image is too coarse for it. O(channels × pixels of the
 * windows).
 */
export async function countNuclei(
  image: TissueImage,
  windows: readonly ImageRegion[],
  options: {
    umPerPixel: number;
    fluorescence: Pick<NonNullable<StainModel["fluorescence"]>, "ranges" | "backgrounds">;
    signal: AbortSignal;
  },
): Promise<number[] | null> {
  const { umPerPixel, fluorescence, signal } = options;
  if (umPerPixel > COARSEST_UM_PER_PX) return null;
  const network = await openNucleusNetwork();
  try {
    const counts: number[] = [];
    for (let channel = 0; channel < image.channels; channel++) {
      const model = { ...fluorescence, nuclearChannel: channel };
      const views: { plane: Float32Array; width: number; height: number }[] = [];
      for (const window of windows) {
        throwIfCancelled(signal);
        const step = NETWORK_UM_PER_PX / umPerPixel;
        const width = Math.max(1, Math.round(window.width / step));
        const height = Math.max(1, Math.round(window.height / step));
        const region = { ...window, outWidth: width, outHeight: height, signal };
        const { data } = await image.getChannel(channel, region);
        const place = { x: window.x, y: window.y, width, height, step };
        views.push({ plane: scaledChannel(data, model, channel, place, image), width, height });
      }
      const brightness = brightnessRange(joined(views.map(({ plane }) => plane)));
      let count = 0;
      for (const { plane, width, height } of views) {
        throwIfCancelled(signal);
        const input = networkInput({ rgb: null, planes: [plane] }, width, height, brightness);
        count += countCores(await network.run(input.data, input.width, input.height));
      }
      counts.push(count);
    }
    return counts;
  } finally {
    await network.close();
  }
}

/** Number of connected cores (4-connectivity) of at least MIN_CORE_UM2. O(pixels). */
function countCores({ width, height, probability, distance }: NucleusMaps): number {
  const isCore = Uint8Array.from(probability, (value, p) =>
    Number(value > CORE_PROBABILITY && distance[p] > CORE_DISTANCE),
  );
  const least = MIN_CORE_UM2 / (2 * NETWORK_UM_PER_PX) ** 2;
  const waiting: number[] = [];
  const visit = (p: number, isInside: boolean): void => {
    if (!isInside || !isCore[p]) return;
    isCore[p] = 0;
    waiting.push(p);
  };
  let count = 0;
  for (let start = 0; start < isCore.length; start++) {
    visit(start, true);
    let area = 0;
    for (let p = waiting.pop(); p !== undefined; p = waiting.pop()) {
      area++;
      const x = p % width;
      visit(p - 1, x > 0);
      visit(p + 1, x < width - 1);
      visit(p - width, p >= width);
      visit(p + width, p < width * (height - 1));
    }
    if (area >= least) count++;
  }
  return count;
}
