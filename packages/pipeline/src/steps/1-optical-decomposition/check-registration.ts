import { counted } from "@stipple/contract/counted";
import { basename } from "node:path";
import type { Matrix } from "@stipple/numerics/matrices";
import { InputError } from "../../errors.ts";
import type { ImageFacts } from "../../facts.ts";
import { captureNoun, type CaptureNoun } from "../../model/row-noun.ts";
import type { MaskOnImage } from "../../optics/sample-windows.ts";
import type { StepContext } from "../../step.ts";
import { checkPicture, SAME } from "./check-picture.ts";
import type { SeenTissue } from "./find-tissue.ts";
import { findMisplacement, fitOfShifts, type Fit } from "./registration-check.ts";
import type { OpticalParameters } from "./step.ts";

/** A smaller share of spots on tissue means that the image shows no tissue or another sample. */
const MIN_COVERED = 0.05;
/** At a smaller share the user is warned. */
const FEW_COVERED = 0.5;
/** Maximum number of channels used to check positions against the image. */
const MAX_PLANES = 4;
/** Minimum unit of the shifts used to test spot positions. */
const MIN_SHIFT_UM = 100;

/**
 * Number of spots above which the share explained by the image is meaningful; a share that counts as small,
 * absolute and relative to chance.
 */
const ENOUGH_SPOTS = 100;
const IMAGE_EXPLAINS = 0.1;
const TIMES_CHANCE = 1.5;
/** Sizes of a pixel that differ more than this, as a ratio, are not of one image. */
const OTHER_SIZE = 1.1;
/** How the user can continue when the image is rejected. */
const HOW_TO_ACCEPT = "--force (on the page: Accept image, under Settings and parameters)";

type Context = StepContext<OpticalParameters>;
const percent = (share: number): string => `${Math.round(100 * share)}%`;

/**
 * Checks that spots and image belong together, and writes the evidence. Throws {@link InputError} if they do not, unless the
 * user accepts the image. `ownUmPerPx` is from the image's own metadata.
 */
export async function checkRegistration(
  context: Context,
  seen: SeenTissue,
  facts: ImageFacts,
  ownUmPerPx: number | null,
): Promise<void> {
  const { read, write, settings, params, warn } = context;
  const xy = await read("spots/xy");
  const noun = captureNoun(await read("sample/scale"));
  const pixels = pixelsOf(xy, seen.tissue, facts.scale);
  const covered = requireSpotsOnTissue(context, pixels, seen, { ...facts, noun });
  await write("spots/seen", seenSpots(context, pixels, seen.overview.outside, { ...facts, noun }));
  const { tissue, overview } = seen;
  const { width, height, mask } = tissue;
  const picture = await checkPicture(
    context.files,
    facts,
    { data: overview.signal, width, height },
    { fluorescent: seen.fluorescent, ownUmPerPx, signal: context.signal },
  );
  const planes = {
    ...{ width, height, step: tissue.stepX, tissue: mask },
    planes: overview.planes.slice(0, MAX_PLANES),
  };
  const spots = await spotsOnImage(context, xy, facts);
  const mismatch =
    picture.mismatch ??
    findMisplacement(
      { ...planes, file: facts.file ?? "the image", takenAs: facts.scale },
      { ...spots, positionsFile: basename(context.files.positions.path) },
      settings.seed,
    );
  const fit = fitOfShifts(planes, spots, settings.seed);
  const doubt =
    mismatch === null ? doubtOf(facts, ownUmPerPx, fit, picture.like, { n: xy.nRows, noun }) : null;
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
  if (mismatch !== null && !params.acceptImage) {
    const message = `${mismatch}; to continue anyway, use ${HOW_TO_ACCEPT}.`;
    throw new InputError(message);
  }
  if (mismatch !== null) warn(`${mismatch}.`);
  if (doubt !== null) warn(doubt);
  if (covered < FEW_COVERED) {
    warn(
      `Only ${(covered * 100).toFixed(0)}% of the ${noun}s lie on visible tissue in ${facts.file}: check that the image and positions are from the same sample.`,
    );
  }
}

/** The share of the spots on tissue. Throws {@link InputError} if there are hardly any. */
function requireSpotsOnTissue(
  { log }: Context,
  pixels: readonly number[],
  { tissue, fraction }: SeenTissue,
  { file, noun }: ImageFacts & { noun: CaptureNoun },
): number {
  const hits = pixels.filter((pixel) => pixel >= 0 && tissue.mask[pixel]).length;
  const covered = hits / Math.max(1, pixels.length);
  log(
    `Tissue covers ${(fraction * 100).toFixed(0)}% of the image and ${(covered * 100).toFixed(0)}% of the ${noun}s.`,
  );
  if (covered >= MIN_COVERED) return covered;
  throw new InputError(
    `${file} shows no tissue under the ${noun}s: check that the image and positions are from the same sample and that the staining is set correctly.`,
  );
}

/** The mask's pixel at the center of each spot, -1 off the image. */
function pixelsOf({ nRows, data }: Matrix, tissue: MaskOnImage, imageScale: number): number[] {
  return Array.from({ length: nRows }, (_, spot) => {
    const column = Math.floor(data[2 * spot] / imageScale / tissue.stepX);
    const row = Math.floor(data[2 * spot + 1] / imageScale / tissue.stepY);
    const isOn = column >= 0 && row >= 0 && column < tissue.width && row < tissue.height;
    return isOn ? row * tissue.width + column : -1;
  });
}

/**
 * 1 for spots that the image shows. The others count cells that nobody can see: shared among cells nearby, their counts
 * would be errors. Step 0 has warned of those off the image.
 */
function seenSpots(
  { warn }: Context,
  pixels: readonly number[],
  outside: Uint8Array | null,
  { file, noun }: ImageFacts & { noun: CaptureNoun },
): Uint8Array {
  const lost = pixels.filter((pixel) => outside?.[pixel]).length;
  if (lost > 0) {
    warn(
      `${lost} of ${counted(pixels.length, noun)} (${percent(lost / pixels.length)}) ${lost === 1 ? "lies" : "lie"} where ${file} is flat black or white, outside the scan; no cells can be found there.`,
    );
  }
  return Uint8Array.from(pixels, (pixel) => Number(pixel >= 0 && !outside?.[pixel]));
}

/** Spots with their expression, in pixels of the image. */
async function spotsOnImage({ read }: Context, xy: Matrix, facts: ImageFacts) {
  const { spotSizeUm, pitchUm } = await read("sample/scale");
  return {
    xy: { ...xy, data: xy.data.map((value) => value / facts.scale) },
    components: await read("spots/X_pca"),
    radiusPx: spotSizeUm / 2 / facts.micronsPerPixel,
    // Shifts by single bins are not informative.
    pitchPx: Math.max(MIN_SHIFT_UM, pitchUm) / facts.micronsPerPixel,
  };
}

/**
 * Evidence against the image that is not proof. An image that explains no more than chance may be of another
 * section, of another size if its own metadata say so, or of tissue whose cells all look alike.
 */
function doubtOf(
  { file: name, source, micronsPerPixel }: ImageFacts,
  ownUmPerPx: number | null,
  fit: Fit | null,
  likePicture: number | null,
  { n, noun }: { n: number; noun: CaptureNoun },
): string | null {
  const file = name ?? "The image";
  if (likePicture !== null && likePicture < SAME) {
    return `${file} matches Space Ranger's image only in part: check that it is the image that Space Ranger was run with.`;
  }
  const { explained = 0, explainedMoved = null } = fit ?? {};
  if (explained >= IMAGE_EXPLAINS) return null;
  if (explainedMoved !== null && explained > TIMES_CHANCE * explainedMoved) return null;
  if (likePicture === null && source === "microscope" && ownUmPerPx !== null) {
    const smaller = ownUmPerPx / micronsPerPixel;
    const times = Math.max(smaller, 1 / smaller);
    if (times > OTHER_SIZE) {
      return `${file} has ${ownUmPerPx.toFixed(3)} µm per pixel by its own metadata, but ${micronsPerPixel.toFixed(3)} by the positions: it may be ${times.toFixed(2)} times ${smaller > 1 ? "smaller" : "larger"} than the image that they refer to; use the image that Space Ranger was run with.`;
    }
  }
  if (explainedMoved === null || n < ENOUGH_SPOTS) return null;
  const check =
    likePicture === null
      ? "check that it is the image that Space Ranger was run with"
      : "check that counts, positions, and image are from the same section";
  return `${file} explains ${percent(explained)} of the ${noun}s' expression, hardly more than with the ${noun}s moved elsewhere on it (up to ${percent(explainedMoved)}): it is from another section, or cell morphology does not reflect expression here; ${check}.`;
}
