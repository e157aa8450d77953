import type { ImageFacts, StainModel } from "../../facts.ts";
import { channelBackgrounds } from "../../optics/channel-background.ts";
import { estimateStains } from "../../optics/estimate-stains.ts";
import { hasExchangedColors } from "../../optics/exchanged-colors.ts";
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

/** Names that do not tell a channel's stain: defaults of programs, and lasers. */
const NUMBERED = /^(ch|c|w|channel|image|page)?[\s:_#-]*\d[\d\s:_-]*(nm)?$/i;

type Context = Pick<StepContext, "settings" | "threads" | "signal" | "progress" | "log" | "warn">;

/** The stain vectors used where no colors can be learned from. */
export function standardStains(): StainModel {
  return estimateStains(new Uint8Array(0), [255, 255, 255]);
}

/** The nuclear channel, and the backgrounds and ranges of all. */
export async function learnChannels(
  { settings, signal, log, warn }: Context,
  image: TissueImage,
  { overview, tissue }: SeenTissue,
  { file, micronsPerPixel: umPerPixel }: Pick<ImageFacts, "file" | "micronsPerPixel">,
): Promise<StainModel> {
  const { width, height } = tissue;
  const outside = overview.outside && { mask: overview.outside, width, height };
  const backgrounds = await channelBackgrounds(image, { umPerPixel, signal, outside });
  const windows = sampleWindows(image, tissue, settings.seed);
  const squares = sampleWindows(image, tissue, settings.seed, NETWORK_PIXELS);
  const options = { umPerPixel, signal, backgrounds };
  const { reason, ...found } = await findNuclearChannel(image, windows, squares, options);
  const names = image.channelNames;
  const name = names[found.nuclearChannel];
  const channel = `channel ${found.nuclearChannel + 1}${name ? ` (${name})` : ""}`;
  log(`Nuclear stain: ${channel} of ${image.channels}, ${CHOSEN_BY[reason]}.`);
  const isNamed = names.length > 0 && !names.some((each) => NUMBERED.test(each));
  if (reason === "energy" || (reason === "nuclei" && isNamed)) {
    warn(
      `No nuclear stain was recognized in ${file}, so nuclei are looked for in ${channel}, ${CHOSEN_BY[reason]}: if another one shows them, name it DAPI in the channel names; if none does, their number and outlines are not reliable.`,
    );
  }
  return { ...standardStains(), fluorescence: { ...found, backgrounds } };
}

/** The stain vectors of the tissue's own colors. `progress` is 0.6–0.9. */
export async function learnColors(
  { settings, threads, signal, progress, log, warn }: Context,
  image: TissueImage,
  { overview, tissue }: SeenTissue,
  { file, micronsPerPixel }: Pick<ImageFacts, "file" | "micronsPerPixel">,
): Promise<StainModel> {
  const windows = sampleWindows(image, tissue, settings.seed);
  const pixels = await sampleTissuePixels(image, windows, tissue, {
    parallel: Math.max(1, threads),
    signal,
    progress: (done) => progress(0.6 + 0.3 * done),
  });
  if (hasExchangedColors(pixels, overview.background, micronsPerPixel)) {
    warn(
      `${file} seems to have red and blue exchanged, so nuclei are missed and types are wrong: save it again with its colors in the order red, green, blue (OpenCV orders them blue, green, red).`,
    );
  }
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
