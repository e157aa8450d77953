import type { StainModel } from "../../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { sampleWindows } from "../../optics/sample-windows.ts";
import type { TissueImage, ImageRegion } from "../../readers/images/tissue-image.ts";
import type { NucleusFinder } from "./find-nuclei.ts";
import type { NetworkOptions } from "./network-options.ts";
import { openFinder } from "./open-finder.ts";
import type { WorkingGrid } from "./tile-plan.ts";
import { throwIfCancelled } from "../../errors.ts";
import { concatenated } from "@stipple/numerics/concatenated";
import { readStainPlanes, type StainPlanes } from "./stain-planes.ts";

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

/** Maximum number of windows to read. */
const MAX_WINDOWS = 16;

/**
 * Samples the slide: concatenates what `pick` returns for windows (in image px) spread over the tissue.
 */
async function sampleSlide(
  image: TissueImage,
  stain: StainModel,
  grid: WorkingGrid,
  windows: readonly ImageRegion[],
  pick: (stains: StainPlanes) => Float32Array,
  signal: AbortSignal,
): Promise<Float32Array> {
  const pieces: Float32Array[] = [];
  const stride = Math.max(1, windows.length / MAX_WINDOWS);
  for (let at = 0; at < windows.length; at += stride) {
    throwIfCancelled(signal);
    const window = windows[Math.floor(at)];
    const x = Math.floor(window.x / grid.step);
    const y = Math.floor(window.y / grid.step);
    const width = Math.min(grid.widthPx - x, Math.max(1, Math.floor(window.width / grid.step)));
    const height = Math.min(grid.heightPx - y, Math.max(1, Math.floor(window.height / grid.step)));
    if (width < 1 || height < 1) continue;
    const rect = { x, y, width, height };
    pieces.push(pick(await readStainPlanes(image, stain, grid, rect, signal)));
  }
  return concatenated(pieces);
}
