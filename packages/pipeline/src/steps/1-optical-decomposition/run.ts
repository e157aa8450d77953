import { basename } from "node:path";
import { InputError, throwIfCancelled } from "../../errors.ts";
import type { StainModel } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { writePng } from "../../figures/figure.ts";
import { openTissueImage } from "../../readers/images/open-tissue-image.ts";
import { imageSource, openSampleImage } from "../../optics/working-image.ts";
import { isPlain } from "../../readers/images/image-source.ts";
import type { StepContext } from "../../step.ts";
import { channelBackgrounds } from "../../optics/channel-background.ts";
import { estimateStains } from "../../optics/estimate-stains.ts";
import { inspectImage, isQuickToSee } from "../../optics/inspect-image.ts";
import { findMisplacement, fitOfShifts, type Fit } from "./registration-check.ts";
import { findNuclearChannel, type ChannelReason } from "./nuclear-channel.ts";
import {
  sampleTissuePixels,
  sampleWindows,
  type MaskOnImage,
} from "../../optics/sample-windows.ts";
import type { Triple } from "../../optics/separate-stains.ts";
import { readOverview } from "../../optics/read-overview.ts";
import { checkPicture, SAME } from "./check-picture.ts";
import type { OpticalParameters } from "./step.ts";
import { separationFigure } from "./separation-figure.ts";
import { MASK_UM, tissueMask } from "./tissue-mask.ts";
import { makeWorkingCopy, needsWorkingCopy, WORKING_IMAGE } from "./working-copy.ts";

/** A smaller share of spots on tissue means that the image shows no tissue or another sample. */
const MIN_COVERED = 0.05;
/** Minimum unit of the shifts used to test spot positions. */
const MIN_SHIFT_UM = 100;

/**
 * Number of spots above which the share explained by the image is meaningful; a share that counts as small,
 * absolute and relative to chance.
 */
const ENOUGH_SPOTS = 100;
const IMAGE_EXPLAINS = 0.1;
const TIMES_CHANCE = 1.5;
/** Pixels given to the network from each channel of an image without channel names. */
const NETWORK_PIXELS = 400_000;
const CHOSEN_BY: Readonly<Record<ChannelReason, string>> = {
  name: "chosen by its name",
  "only channel": "the only one",
  nuclei: "in which the network finds the most nuclei",
  energy: "chosen by nucleus-sized structures",
};
/** How the user can continue when the image is rejected. */
const HOW_TO_ACCEPT = "--force (on the page: Accept image, under Settings and parameters)";

/** Determines the stain vectors and the tissue area, and prepares large images for reading in tiles. */
export async function run({
  files,
  settings,
  threads,
  signal,
  read,
  write,
  output,
  progress,
  log,
  warn,
  params,
}: StepContext<OpticalParameters>): Promise<void> {
  const facts = await read("sample/image");
  const xy = await read("spots/xy");
  const spotScale = await read("sample/scale");
  const source = imageSource(facts, files);
  if (source === null) {
    log("There is no image, so every position is treated as tissue.");
    await write("image/stain", estimateStains(new Uint8Array(0), [255, 255, 255]));
    await write("image/tissue_mask", { nRows: 1, nCols: 1, data: Uint8Array.of(1) });
    const extent = xy.data.reduce((most, value) => Math.max(most, value), 1);
    await write("image/tissue", { scale: extent + 1, fraction: 1 });
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
    return;
  }
  let image = await openSampleImage(source, facts);
  const ownUmPerPx = image.metadataMicronsPerPixel;
  const quick = isQuickToSee(image);
  try {
    if (needsWorkingCopy(image) || !isPlain(source)) {
      log(
        isPlain(source)
          ? `${facts.file} is not tiled; making a tiled working copy.`
          : "Making a working copy of the image as it is read.",
      );
      await makeWorkingCopy(image, source, output(WORKING_IMAGE), settings.staining, signal);
      throwIfCancelled(signal);
      image.close();
      image = await openTissueImage(output(WORKING_IMAGE));
    }
    progress(0.3);
    if (!quick) {
      const options = { staining: settings.staining, signal };
      (await inspectImage(image, xy, facts, options)).forEach(warn);
    }

    const fluorescent = settings.staining === "if";
    const factor = Math.max(1, MASK_UM / facts.micronsPerPixel);
    const width = Math.max(1, Math.round(image.widthPx / factor));
    const height = Math.max(1, Math.round(image.heightPx / factor));
    const overview = await readOverview(image, width, height, fluorescent, signal);
    const mask = tissueMask(overview.signal, width, height, {
      umPerPixel: (facts.micronsPerPixel * image.widthPx) / width,
      floor: overview.floor,
      ceiling: overview.ceiling,
      outside: overview.outside,
    });
    if (overview.outside) {
      const share = overview.outside.reduce((sum, value) => sum + value, 0) / mask.length;
      log(
        `${(share * 100).toFixed(0)}% of the image is flat black or white, outside the scan: neither tissue nor background.`,
      );
    }
    const tissue: MaskOnImage = {
      mask,
      width,
      height,
      stepX: image.widthPx / width,
      stepY: image.heightPx / height,
    };
    const fraction = mask.reduce((sum, value) => sum + value, 0) / mask.length;
    const scale = facts.scale * tissue.stepX;
    await write("image/tissue_mask", { nRows: height, nCols: width, data: mask });
    await write("image/tissue", { scale, fraction });
    progress(0.6);
    const covered = spotsOnTissue(xy, tissue, facts.scale);
    log(
      `Tissue covers ${(fraction * 100).toFixed(0)}% of the image and ${(covered * 100).toFixed(0)}% of the spots.`,
    );
    if (covered < MIN_COVERED) {
      throw new InputError(
        `${facts.file} shows no tissue under the spots: check that the image and positions are from the same sample and that the staining is set correctly.`,
        { file: facts.file ?? "" },
      );
    }
    const planes = { width, height, step: tissue.stepX, planes: overview.planes, tissue: mask };
    const spots = {
      xy: { ...xy, data: xy.data.map((value) => value / facts.scale) },
      components: await read("spots/X_pca"),
      radiusPx: spotScale.spotSizeUm / 2 / facts.micronsPerPixel,
      // Shifts by single bins are not informative.
      pitchPx: Math.max(MIN_SHIFT_UM, spotScale.pitchUm) / facts.micronsPerPixel,
    };
    const picture = await checkPicture(
      files,
      facts,
      { data: overview.signal, width, height },
      { fluorescent, ownUmPerPx, signal },
    );
    const mismatch =
      picture.mismatch ??
      findMisplacement(
        { ...planes, file: facts.file ?? "the image", takenAs: facts.scale },
        { ...spots, positionsFile: basename(files.positions.path) },
        settings.seed,
      );
    const fit = fitOfShifts(planes, spots, settings.seed);
    const doubt =
      mismatch === null ? doubtOf(facts.file ?? "The image", fit, picture.like, xy.nRows) : null;
    await write("image/registration", {
      spotsOnTissue: covered,
      explained: fit && fit.explained,
      explainedShifted: fit && fit.explainedShifted,
      shiftUm: fit && fit.shiftPx.map((px) => px * facts.micronsPerPixel),
      explainedMoved: fit && fit.explainedMoved,
      likePicture: picture.like,
      mismatch: mismatch && `${mismatch}.`,
      doubt,
    });
    if (mismatch !== null) {
      if (!params.acceptImage) {
        throw new InputError(`${mismatch}; to continue anyway, use ${HOW_TO_ACCEPT}.`, {
          file: facts.file ?? "",
        });
      }
      warn(`${mismatch}.`);
    }
    if (doubt !== null) warn(doubt);
    if (covered < 0.5) {
      warn(
        `Only ${(covered * 100).toFixed(0)}% of the spots lie on visible tissue in ${facts.file}: check that the image and positions are from the same sample.`,
      );
    }

    const windows = sampleWindows(image, tissue, settings.seed);
    let model: StainModel;
    if (fluorescent) {
      const options = { umPerPixel: facts.micronsPerPixel, signal };
      const backgrounds = await channelBackgrounds(image, {
        ...options,
        outside: overview.outside && { mask: overview.outside, width, height },
      });
      const squares = sampleWindows(image, tissue, settings.seed, NETWORK_PIXELS);
      const { reason, ...found } = await findNuclearChannel(image, windows, squares, {
        ...options,
        backgrounds,
      });
      const fluorescence = { ...found, backgrounds };
      model = { ...estimateStains(new Uint8Array(0), [255, 255, 255]), fluorescence };
      const name = image.channelNames[fluorescence.nuclearChannel];
      log(
        `Nuclear stain: channel ${fluorescence.nuclearChannel + 1} of ${image.channels}${name ? ` (${name})` : ""}, ${CHOSEN_BY[reason]}.`,
      );
    } else {
      const pixels = await sampleTissuePixels(image, windows, tissue, {
        parallel: Math.max(1, threads),
        signal,
        progress: (done) => progress(0.6 + 0.3 * done),
      });
      model = estimateStains(pixels, overview.background);
      log(
        model.source === "estimated"
          ? `Stain colors, estimated from ${(pixels.length / 3).toLocaleString("en-US")} pixels: hematoxylin ${inWords(model.hematoxylin)}, eosin ${inWords(model.eosin)}.`
          : "The stain colors could not be estimated from this image, so standard ones are used.",
      );
    }
    await write("image/stain", model);
    progress(0.9);
    const figure = await separationFigure(image, model, tissue, {
      umPerPixel: facts.micronsPerPixel,
      signal,
    });
    await writePng(output("stain_separation.png"), figure);
  } finally {
    image.close();
  }
}

function inWords(vector: Triple): string {
  return vector.map((value) => value.toFixed(2)).join("/");
}

/**
 * Evidence against the image that is not proof. An image that explains no more than chance may be of another
 * section, or of tissue whose cells all look alike.
 */
function doubtOf(
  file: string,
  fit: Fit | null,
  likePicture: number | null,
  nSpots: number,
): string | null {
  if (likePicture !== null && likePicture < SAME) {
    return `${file} matches Space Ranger's image only in part: check that it is the image that Space Ranger was run with.`;
  }
  if (fit === null || fit.explainedMoved === null || nSpots < ENOUGH_SPOTS) return null;
  const { explained, explainedMoved } = fit;
  if (explained >= IMAGE_EXPLAINS || explained > TIMES_CHANCE * explainedMoved) return null;
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  const check =
    likePicture === null
      ? "check that it is the image that Space Ranger was run with"
      : "check that counts, positions and image are from the same section";
  return `${file} explains ${percent(explained)} of the spots' expression, hardly more than with the spots moved elsewhere on it (up to ${percent(explainedMoved)}): it is from another section, or cell morphology does not reflect expression here; ${check}.`;
}

/** Fraction of spots whose center is on tissue. */
function spotsOnTissue(xy: Matrix, tissue: MaskOnImage, imageScale: number): number {
  let hits = 0;
  for (let spot = 0; spot < xy.nRows; spot++) {
    const column = Math.floor(xy.data[2 * spot] / imageScale / tissue.stepX);
    const row = Math.floor(xy.data[2 * spot + 1] / imageScale / tissue.stepY);
    if (column < 0 || row < 0 || column >= tissue.width || row >= tissue.height) continue;
    hits += tissue.mask[row * tissue.width + column];
  }
  return xy.nRows > 0 ? hits / xy.nRows : 0;
}
