import { throwIfCancelled } from "../../errors.ts";
import type { ChannelBackground } from "../../facts.ts";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { joined } from "@stipple/numerics/joined";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { withoutBackground } from "../../optics/channel-background.ts";
import { quantile } from "../../optics/estimate-stains.ts";
import { countNuclei } from "./count-nuclei.ts";

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
    const all = joined(pieces.map(({ values }) => values));
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
