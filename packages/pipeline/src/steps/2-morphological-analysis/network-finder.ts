import type { StainModel } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { sampleWindows } from "../../optics/sample-windows.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import type { NucleusFinder } from "./find-nuclei.ts";
import type { NetworkOptions } from "./network-options.ts";
import { openFinder } from "./open-finder.ts";
import { sampleSlide } from "./sample-slide.ts";
import type { WorkingGrid } from "./tile-plan.ts";

/** A slide as the first steps have left it. */
export interface PreparedSlide {
  image: TissueImage;
  stain: StainModel;
  mask: Matrix<Uint8Array>;
  grid: WorkingGrid;
}

/** The network with what it has to know of the slide. Throws {@link InputError} if it cannot run on this machine. */
export function networkFinder(
  { image, stain, mask, grid }: PreparedSlide,
  options: NetworkOptions,
  seed: number,
  signal: AbortSignal,
): Promise<NucleusFinder> {
  const tissue = {
    mask: mask.data,
    width: mask.nCols,
    height: mask.nRows,
    stepX: image.widthPx / mask.nCols,
    stepY: image.heightPx / mask.nRows,
  };
  const windows = sampleWindows(image, tissue, seed);
  return openFinder(options, {
    fluorescent: stain.fluorescence !== undefined,
    sample: (pick) => sampleSlide(image, stain, grid, windows, pick, signal),
  });
}
