import { throwIfCancelled } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import { writePng } from "../../figures/figure.ts";
import { inspectImage, isQuickToSee } from "../../optics/inspect-image.ts";
import { imageSource, openSampleImage } from "../../optics/working-image.ts";
import { isPlain, type ImageSource } from "../../readers/images/image-source.ts";
import { openTissueImage, requireSoundImage } from "../../readers/images/open-tissue-image.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { StepContext } from "../../step.ts";
import { checkRegistration } from "./check-registration.ts";
import { findTissue, shareOf, type SeenTissue } from "./find-tissue.ts";
import { learnChannels, learnColors, standardStains } from "./learn-stains.ts";
import { separationFigure } from "./separation-figure.ts";
import type { OpticalParameters } from "./step.ts";
import { makeWorkingCopy, needsWorkingCopy, WORKING_IMAGE } from "./working-copy.ts";

type Context = StepContext<OpticalParameters>;

/** Determines the stain vectors and the tissue area, and prepares large images for reading in tiles. */
export async function run(context: Context): Promise<void> {
  const { files, settings, signal, read, write, output, progress, warn } = context;
  const facts = await read("sample/image");
  const source = imageSource(facts, files);
  if (source === null) return withoutImage(context);
  const umPerPixel = facts.micronsPerPixel;
  const { staining } = settings;
  for (const path of source.channelFiles ?? [source.path]) await requireSoundImage(path);
  throwIfCancelled(signal);
  const original = await openSampleImage(source, facts);
  const image = await readable(context, original, source, facts);
  progress(0.3);
  // One that is quick to see has been inspected by step 0.
  if (!isQuickToSee(original)) {
    (await inspectImage(image, await read("spots/xy"), facts, { staining, signal })).forEach(warn);
  }
  const seen = await findTissue(image, { umPerPixel, staining, signal });
  await writeTissue(context, seen);
  progress(0.6);
  await checkRegistration(context, seen, facts, original.metadataMicronsPerPixel);
  const model = seen.fluorescent
    ? await learnChannels(context, image, seen, facts)
    : await learnColors(context, image, seen, facts);
  await write("image/stain", model);
  progress(0.9);
  const figure = await separationFigure(image, model, seen.tissue, { umPerPixel, signal });
  await writePng(output("stain_separation.png"), figure);
}

/** Every position counts as tissue. */
async function withoutImage({ read, write, log }: Context): Promise<void> {
  log("There is no image, so every position is treated as tissue.");
  await write("spots/seen", new Uint8Array((await read("spots/xy")).nRows).fill(1));
  await write("image/stain", standardStains());
  await write("image/tissue_mask", { nRows: 1, nCols: 1, data: Uint8Array.of(1) });
  await write("image/registration", {
    spotsOnTissue: null,
    explained: null,
    explainedShifted: null,
    shiftUm: null,
    explainedMoved: null,
    likePicture: null,
    mismatch: null,
    doubt: null,
  });
}

/** The image itself, or a tiled copy if it has no tiles or is not to be read as it is stored. */
async function readable(
  { settings, signal, output, log }: Context,
  original: TissueImage,
  source: ImageSource,
  facts: ImageFacts,
): Promise<TissueImage> {
  if (!needsWorkingCopy(original) && isPlain(source)) return original;
  log(
    isPlain(source)
      ? `${facts.file} is not tiled; making a tiled working copy.`
      : "Making a working copy of the image as it is read.",
  );
  const path = output(WORKING_IMAGE);
  await makeWorkingCopy(original, source, path, settings.staining, signal);
  throwIfCancelled(signal);
  return openTissueImage(path);
}

async function writeTissue(
  { write, log }: Context,
  { overview, tissue: { mask, width, height } }: SeenTissue,
): Promise<void> {
  if (overview.outside) {
    log(
      `${(shareOf(overview.outside) * 100).toFixed(0)}% of the image is flat black or white, outside the scan: neither tissue nor background.`,
    );
  }
  await write("image/tissue_mask", { nRows: height, nCols: width, data: mask });
}
