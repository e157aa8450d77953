import { placeSpots } from "../alignment/place-spots.ts";
import { captureNoun } from "../model/row-noun.ts";
import { readerOf } from "../readers/registry.ts";
import type { SampleFiles } from "../readers/sample-files.ts";
import { findPieces, type Piece } from "../regions/find-pieces.ts";
import { fullSize, insideAny, readRegions } from "../regions/read-regions.ts";
import type { AnalysisSettings } from "../settings.ts";
import { chooseImage } from "../steps/0-feature-initialization/choose-image.ts";
import { inTissueOf } from "../steps/0-feature-initialization/in-tissue.ts";

/**
 * The pieces of tissue on a sample's slide, as far as the user's files leave its spots, and what its spots are called;
 * no pieces if there is only one. Throws {@link InputError} if the sample or such a file cannot be used. Reads no counts.
 */
export async function lookForPieces(
  files: SampleFiles,
  settings: AnalysisSettings,
  signal: AbortSignal,
): Promise<{ pieces: Piece[]; noun: "spot" | "bin" }> {
  const { platform, staining, channelNames } = settings;
  const sample = await readerOf(platform).open(files, settings);
  const { positions, scale } = await placeSpots(sample, files.alignment);
  const { facts } = await chooseImage(files, sample.pictures, scale.micronsPerPixel, {
    ...{ staining, channelNames, spots: inTissueOf(positions), signal },
  });
  const size = fullSize(facts);
  let rows = await sample.matchCounts();
  for (const how of ["kept", "excluded"] as const) {
    const path = files[how];
    if (!path) continue;
    const isInside = insideAny(await readRegions(path, size));
    rows = rows.filter((row) => isInside(positions.x[row], positions.y[row]) === (how === "kept"));
  }
  const at = (axis: "x" | "y"): Float64Array =>
    Float64Array.from(rows, (row) => positions[axis][row]);
  return { pieces: findPieces(at("x"), at("y"), scale, size), noun: captureNoun(scale) };
}
