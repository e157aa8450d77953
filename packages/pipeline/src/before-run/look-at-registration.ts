import type { Affine } from "@stipple/contract/affine";
import { placeSpots } from "../alignment/place-spots.ts";
import { readLandmarks, type Landmark } from "../alignment/read-alignment.ts";
import { isQuickToSee } from "../optics/inspect-image.ts";
import { openSampleImage } from "../optics/working-image.ts";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import { reducedTissue } from "../readers/images/reduced-image.ts";
import { readerOf } from "../readers/registry.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { fullSize } from "../regions/read-regions.ts";
import type { AnalysisSettings } from "../settings.ts";
import { chooseImage } from "../steps/0-feature-initialization/choose-image.ts";
import { inTissueOf } from "../steps/0-feature-initialization/in-tissue.ts";
import { judgeRegistration, type RegistrationJudgment } from "./judge-registration.ts";

/** Spots over a reduced image, before anything is analyzed. Positions are full-resolution pixels. */
export interface RegistrationLook {
  /** Size of the image that the positions refer to. */
  widthPx: number;
  heightPx: number;
  /** The reduced image as WebP. */
  picture: Uint8Array;
  /** The file that the picture is of. */
  pictureFile: string;
  /** As the files have it, without an alignment. */
  micronsPerPixel: number;
  spotSizeUm: number;
  nSpots: number;
  /** Places of some of the spots in tissue, x and y alternating, without an alignment. */
  spots: Float64Array;
  /** How the project's alignment moves them. */
  map: Affine | null;
  /** The landmarks of that alignment, if it has any. */
  landmarks: readonly Landmark[] | null;
  judgment: RegistrationJudgment;
}

/** Longer side of the picture, px, and most spots on it. */
const PICTURE_PX = 1600;
const MAX_SPOTS = 4000;

/**
 * Shows where a sample's spots lie on its image, and judges whether they belong there. A large image without smaller
 * versions of itself is represented by Space Ranger's picture. Null without an image. Throws {@link InputError} if the
 * sample or its alignment cannot be used.
 */
export async function lookAtRegistration(
  files: SampleFiles,
  settings: AnalysisSettings,
  signal: AbortSignal,
): Promise<RegistrationLook | null> {
  const { platform, staining, channelNames } = settings;
  const sample = await readerOf(platform).open(files, settings);
  const placed = await placeSpots(sample, files.alignment);
  const rows = await sample.matchCounts();
  const { facts, source } = await chooseImage(
    files,
    sample.pictures,
    placed.scale.micronsPerPixel,
    { ...{ staining, channelNames, signal }, spots: inTissueOf(placed.positions) },
  );
  const size = fullSize(facts);
  if (source === null || size === null) return null;
  const own = await openSampleImage(source, facts);
  const isOwn = isQuickToSee(own) || files.hires === null;
  const image = isOwn ? own : await openTissueImage(files.hires!);
  const at = (axis: "x" | "y", from = sample.positions): Float64Array =>
    Float64Array.from(rows, (row) => from[axis][row]);
  const judgment = await judgeRegistration(
    { image, isOwn, facts, size, files, settings, signal },
    { x: at("x", placed.positions), y: at("y", placed.positions), words: sample.words },
  );
  const step = Math.max(1, Math.ceil(rows.length / MAX_SPOTS));
  const [x, y] = [at("x"), at("y")];
  const shown = x.filter((_, spot) => spot % step === 0).length;
  return {
    widthPx: size.width,
    heightPx: size.height,
    picture: await reducedTissue(image, PICTURE_PX, 80, signal),
    pictureFile: (isOwn ? facts.file : null) ?? "tissue_hires_image.png",
    micronsPerPixel: sample.scale.micronsPerPixel,
    spotSizeUm: sample.scale.spotSizeUm,
    nSpots: rows.length,
    spots: Float64Array.from({ length: 2 * shown }, (_, k) => (k % 2 ? y : x)[(k >> 1) * step]),
    map: placed.scale.moved?.map ?? null,
    landmarks: files.alignment ? await readLandmarks(files.alignment) : null,
    judgment,
  };
}
