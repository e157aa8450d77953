import { throwIfCancelled } from "../../errors.ts";
import type { StainModel } from "../../facts.ts";
import { joined } from "@stipple/numerics/joined";
import type { ImageRegion, TissueImage } from "../../readers/images/tissue-image.ts";
import { readStainPlanes, type StainPlanes } from "./stain-planes.ts";
import type { WorkingGrid } from "./tile-plan.ts";

/** Maximum number of windows to read. */
const MAX_WINDOWS = 16;

/**
 * Samples the slide: concatenates what `pick` returns for windows (in image px) spread over the tissue.
 */
export async function sampleSlide(
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
  return joined(pieces);
}
