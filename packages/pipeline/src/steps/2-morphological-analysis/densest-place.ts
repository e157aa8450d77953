import { areaSums } from "@stipple/numerics/area-sums";
import type { Matrix } from "@stipple/numerics/matrices";
import { isQuickToSee } from "../../optics/inspect-image.ts";
import type { PreparedSlide } from "./network-finder.ts";
import { readStainPlanes } from "./stain-planes.ts";
import { workingGrid } from "./tile-plan.ts";

/** Resolution at which density is compared, µm per pixel. */
const COARSE_UM = 8;

/**
 * Middle of the square of `sideUm` with the most nuclear stain on tissue, as fractions of the image's sides. On an image
 * that is slow to see whole, the square with the most tissue.
 */
export async function densestPlace(
  { image, stain, mask }: Omit<PreparedSlide, "grid">,
  micronsPerPixel: number,
  sideUm: number,
  signal: AbortSignal,
): Promise<[number, number]> {
  if (!isQuickToSee(image))
    return densest(mask, (sideUm / micronsPerPixel / image.widthPx) * mask.nCols);
  const grid = workingGrid({ ...image, micronsPerPixel }, Math.max(COARSE_UM, micronsPerPixel));
  const [width, height] = [grid.widthPx, grid.heightPx];
  const { planes } = await readStainPlanes(
    image,
    stain,
    grid,
    { x: 0, y: 0, width, height },
    signal,
  );
  const onTissue = planes[0].map((value, at) => {
    const row = Math.floor((Math.floor(at / width) / height) * mask.nRows);
    const column = Math.floor(((at % width) / width) * mask.nCols);
    // A speck of dirt is darker than any nucleus.
    return mask.data[row * mask.nCols + column] ? Math.min(1, value) : 0;
  });
  return densest({ data: onTissue, nRows: height, nCols: width }, sideUm / grid.umPerPx);
}

/** Middle of the square with the greatest sum. O(values). */
export function densest(
  { data, nRows, nCols }: Matrix<Float32Array | Uint8Array>,
  side: number,
): [number, number] {
  const [wide, high] = [nCols, nRows].map((most) => Math.max(1, Math.min(most, Math.round(side))));
  const sumOf = areaSums(data, nCols, nRows);
  let best = -1;
  let place: [number, number] = [0.5, 0.5];
  for (let row = 0; row + high <= nRows; row++) {
    for (let column = 0; column + wide <= nCols; column++) {
      const sum = sumOf(column, row, column + wide, row + high);
      if (sum <= best) continue;
      best = sum;
      place = [(column + wide / 2) / nCols, (row + high / 2) / nRows];
    }
  }
  return place;
}
