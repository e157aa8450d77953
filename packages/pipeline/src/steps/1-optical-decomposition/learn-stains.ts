import type { StainModel } from "../../facts.ts";
import { channelBackgrounds } from "../../optics/channel-background.ts";
import { estimateStains } from "../../optics/estimate-stains.ts";
import { sampleTissuePixels, sampleWindows } from "../../optics/sample-windows.ts";
import type { Triple } from "../../optics/separate-stains.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { StepContext } from "../../step.ts";
import type { SeenTissue } from "./find-tissue.ts";
import { findNuclearChannel, type ChannelReason } from "./nuclear-channel.ts";

/** Pixels given to the network from each channel of an image without channel names. */
const NETWORK_PIXELS = 400_000;
const CHOSEN_BY: Readonly<Record<ChannelReason, string>> = {
  name: "chosen by its name",
  "only channel": "the only one",
  nuclei: "in which the network finds the most nuclei",
  energy: "chosen by nucleus-sized structures",
};

type Context = Pick<StepContext, "settings" | "threads" | "signal" | "progress" | "log">;

/** The stain vectors used where no colors can be learned from. */
export function standardStains(): StainModel {
  return estimateStains(new Uint8Array(0), [255, 255, 255]);
}

/** The nuclear channel, and the backgrounds and ranges of all. */
export async function learnChannels(
  { settings, signal, log }: Context,
  image: TissueImage,
  { overview, tissue }: SeenTissue,
  umPerPixel: number,
): Promise<StainModel> {
  const { width, height } = tissue;
  const outside = overview.outside && { mask: overview.outside, width, height };
  const backgrounds = await channelBackgrounds(image, { umPerPixel, signal, outside });
  const windows = sampleWindows(image, tissue, settings.seed);
  const squares = sampleWindows(image, tissue, settings.seed, NETWORK_PIXELS);
  const options = { umPerPixel, signal, backgrounds };
  const { reason, ...found } = await findNuclearChannel(image, windows, squares, options);
  const name = image.channelNames[found.nuclearChannel];
  log(
    `Nuclear stain: channel ${found.nuclearChannel + 1} of ${image.channels}${name ? ` (${name})` : ""}, ${CHOSEN_BY[reason]}.`,
  );
  return { ...standardStains(), fluorescence: { ...found, backgrounds } };
}

/** The stain vectors of the tissue's own colors. `progress` is 0.6–0.9. */
export async function learnColors(
  { settings, threads, signal, progress, log }: Context,
  image: TissueImage,
  { overview, tissue }: SeenTissue,
): Promise<StainModel> {
  const windows = sampleWindows(image, tissue, settings.seed);
  const pixels = await sampleTissuePixels(image, windows, tissue, {
    parallel: Math.max(1, threads),
    signal,
    progress: (done) => progress(0.6 + 0.3 * done),
  });
  const model = estimateStains(pixels, overview.background);
  log(
    model.source === "estimated"
      ? `Stain colors, estimated from ${(pixels.length / 3).toLocaleString("en-US")} pixels: hematoxylin ${inWords(model.hematoxylin)}, eosin ${inWords(model.eosin)}.`
      : "The stain colors could not be estimated from this image, so standard ones are used.",
  );
  return model;
}

function inWords(vector: Triple): string {
  return vector.map((value) => value.toFixed(2)).join("/");
}
