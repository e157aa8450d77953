import { throwIfCancelled } from "../../errors.ts";
import type { ChannelBackground, StainModel } from "../../facts.ts";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { concatenated } from "@stipple/numerics/concatenated";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { withoutBackground, scaledChannel } from "../../optics/channel-background.ts";
import { quantile } from "../../optics/estimate-stains.ts";
import { brightnessRange, networkInput } from "../../nuclei/network-input.ts";
import { openNucleusNetwork, type NucleusMaps } from "../../nuclei/nucleus-network.ts";

/**
 * A nucleus of 3 µm radius responds most to a Laplacian with σ = r/√2, approximated by a difference of two
 * Gaussians.
 */
const SIGMA_UM = 3 / Math.SQRT2;
/** Lower limit of σ, for coarser images, in which a nucleus spans about two pixels or fewer. */
const MIN_SIGMA_PX = 0.8;
const NUCLEAR_NAME = /dapi|hoechst|draq|dna|nucle|sytox|propidium/i;
const MAX_WINDOWS = 8;
/** With fewer nuclei in the best channel, the counts decide nothing. */
const MIN_NUCLEI = 20;
/**
 * Channels with at least this share of the best one's nuclei are equally likely, because whole-cell stains also
 * reveal nuclei.
 */
const AS_MANY = 0.9;

/** How the nuclear channel was identified. */
export type ChannelReason = "name" | "only channel" | "nuclei" | "energy";

/**
 * Finds the nuclear stain channel: by its name in the metadata, else the one in which the network detects the
 * most nuclei. Among channels with similar numbers, or if the network cannot tell, it is the one with the most
 * energy at nuclear size, after each channel has been background-corrected and scaled by its own 0.1 and 99.9
 * percentiles. `squares` are the windows given to the network.
 */
export async function findNuclearChannel(
  image: TissueImage,
  windows: readonly ImageRegion[],
  squares: readonly ImageRegion[],
  options: {
    umPerPixel: number;
    backgrounds?: ChannelBackground[];
    signal: AbortSignal;
  },
): Promise<{ nuclearChannel: number; ranges: [number, number][]; reason: ChannelReason }> {
  const ranges: [number, number][] = [];
  const energies: number[] = [];
  const sigma = Math.max(MIN_SIGMA_PX, SIGMA_UM / options.umPerPixel);
  const read = windows.slice(0, MAX_WINDOWS);
  for (let channel = 0; channel < image.channels; channel++) {
    const pieces: { values: Float32Array; width: number; height: number }[] = [];
    for (const window of read) {
      throwIfCancelled(options.signal);
      const { data, width, height } = await image.getChannel(channel, window);
      const place = { x: window.x, y: window.y, width, height, step: 1 };
      const values = withoutBackground(data, options.backgrounds?.[channel], place, image);
      pieces.push({ values, width, height });
    }
    const all = concatenated(pieces.map(({ values }) => values));
    const low = quantile(all, 0.001);
    const high = Math.max(low + 1, quantile(all, 0.999));
    ranges.push([low, high]);
    energies.push(
      pieces.reduce((sum, piece) => sum + nuclearEnergy(piece, low, high, sigma), 0) /
        pieces.length,
    );
  }
  const named = image.channelNames.findIndex((name) => NUCLEAR_NAME.test(name));
  if (named >= 0) return { nuclearChannel: named, ranges, reason: "name" };
  if (image.channels === 1) return { nuclearChannel: 0, ranges, reason: "only channel" };
  const counts = await countNuclei(image, squares, {
    ...options,
    fluorescence: {
      ranges,
      ...(options.backgrounds ? { backgrounds: options.backgrounds } : {}),
    },
  });
  const most = Math.max(...(counts ?? []));
  const isKnown = most >= MIN_NUCLEI;
  const likely = energies.map((energy, channel) =>
    !isKnown || counts![channel] >= AS_MANY * most ? energy : -1,
  );
  return {
    nuclearChannel: likely.indexOf(Math.max(...likely)),
    ranges,
    reason: isKnown ? "nuclei" : "energy",
  };
}

/** Mean squared difference of Gaussians where bright structures are on dark background. */
function nuclearEnergy(
  piece: { values: Float32Array; width: number; height: number },
  low: number,
  high: number,
  sigma: number,
): number {
  const scaled = piece.values.map((value) =>
    Math.min(1, Math.max(0, (value - low) / (high - low))),
  );
  const fine = gaussianBlur(scaled, piece.width, piece.height, sigma);
  const coarse = gaussianBlur(scaled, piece.width, piece.height, sigma * 1.6);
  let sum = 0;
  for (let i = 0; i < fine.length; i++) sum += Math.max(0, fine[i] - coarse[i]) ** 2;
  return sum / fine.length;
}

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
async function countNuclei(
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
      const brightness = brightnessRange(concatenated(views.map(({ plane }) => plane)));
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
