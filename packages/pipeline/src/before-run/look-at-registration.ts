import type { RegistrationLook } from "@stipple/contract/routes/registration";
import { placeSpots } from "../alignment/place-spots.ts";
import { readLandmarks } from "../alignment/read-alignment.ts";
import { isQuickToSee } from "../optics/inspect-image.ts";
import { openSampleImage } from "../optics/working-image.ts";
import { openTissueImage } from "../readers/images/open-tissue-image.ts";
import { base64Of, reducedTissue } from "../readers/images/reduced-image.ts";
import { readerOf } from "../readers/registry.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { fullSize } from "../regions/read-regions.ts";
import type { AnalysisSettings } from "../settings.ts";
import { chooseImage } from "../steps/0-feature-initialization/choose-image.ts";
import { inTissueOf } from "../steps/0-feature-initialization/in-tissue.ts";
import { judgeRegistration } from "./judge-registration.ts";

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
    width_px: size.width,
    height_px: size.height,
    picture: base64Of(await reducedTissue(image, PICTURE_PX, 80, signal)),
    picture_file: (isOwn ? facts.file : null) ?? "tissue_hires_image.png",
    microns_per_pixel: sample.scale.micronsPerPixel,
    spot_size_um: sample.scale.spotSizeUm,
    n_spots: rows.length,
    spots: Array.from(
      { length: 2 * shown },
      (_, k) => Math.round(10 * (k % 2 ? y : x)[(k >> 1) * step]) / 10,
    ),
    map: placed.scale.moved ? [...placed.scale.moved.map] : null,
    landmarks: files.alignment ? await readLandmarks(files.alignment) : null,
    ...judgment,
  };
}
