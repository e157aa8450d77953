import { placeSpots } from "../../alignment/place-spots.ts";
import type { SampleFiles } from "../../readers/sample-files.ts";
import { readerOf } from "../../readers/registry.ts";
import type { AnalysisSettings } from "../../settings.ts";
import { chooseImage } from "./choose-image.ts";
import { inTissueOf } from "./in-tissue.ts";
import { spotsOnImage } from "./spots-on-image.ts";

/**
 * Whether a sample's files can be analyzed together, as far as that shows without reading counts and pixels: positions
 * and scale factors, the spots of the counts among them, the header of the image, and the spots on it. Throws the
 * InputError with which this step would fail. Seconds for 700,000 bins.
 */
export async function checkInputs(
  files: SampleFiles,
  settings: AnalysisSettings,
  signal: AbortSignal,
): Promise<void> {
  const { platform, staining, channelNames } = settings;
  const sample = await readerOf(platform).open(files, settings);
  const { pictures, words } = sample;
  const { positions, scale } = await placeSpots(sample, files.alignment);
  const rows = await sample.matchCounts();
  const { facts } = await chooseImage(files, pictures, scale.micronsPerPixel, {
    staining,
    channelNames,
    spots: inTissueOf(positions),
    signal,
  });
  const [x, y] = [positions.x, positions.y].map((all) =>
    Float64Array.from(rows, (row) => all[row]),
  );
  spotsOnImage(x, y, facts, words);
}
