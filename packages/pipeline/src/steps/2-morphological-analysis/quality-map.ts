import { IMAGE_QUALITIES, type ImageQuality } from "@stipple/contract";
import { windowMeans } from "@stipple/numerics/area-sums";
import type { ImageQualityReport } from "../../facts.ts";
import type { Squares } from "./segment-image.ts";
import { GRID_PX } from "./tile-plan.ts";
import { QUALITY_PLANES, type QualityPlane } from "./tile-quality.ts";

/** Half the side of the window for judging sharpness, µm: large enough to hold a few nuclei. */
const WINDOW_UM = 50;
/** Mean squared coarse detail below which there is nothing to judge sharpness by. */
const MIN_DETAIL = 0.01;
/** In a sharp image, fine detail is at least this fraction of coarse detail at 0.5 µm per pixel, … */
const MIN_FINE_SHARE = 0.028;
/** … which scales with pixel size to this power. */
const FINE_SHARE_POWER = 1.3;
/** White noise contributes this fraction of its single-pixel variance to means of 2 × 2 px. */
const NOISE_IN_FINE = 1 / 4;
/** An image with larger pixels, µm, has no fine detail to lose. */
const COARSEST_UM = 0.8;
/** No nuclei are visible if the lightest quarter of a square has this optical density (mean of the colors). */
const DARK_DENSITY = 1.5;
/** Fraction of a square's pixels that must be ink, and fraction of its 3 × 3 neighborhood that must agree. */
const INKED = 0.5;
const AGREE = 5 / 9;
/** Fraction of the tissue at which the user is warned. */
const WORTH_TELLING = 0.1;

/** Image quality of each GRID_PX square of the working grid, as an index into IMAGE_QUALITIES. */
export interface QualityMap {
  width: number;
  height: number;
  codes: Uint8Array;
}

const code = (quality: ImageQuality): number => IMAGE_QUALITIES.indexOf(quality);

/**
 * Rates squares from their tiles' measurements. Blur is judged by the ratio of fine to coarse detail over a 100 µm
 * window: it removes structures of 2–4 µm before those of 8–16 µm. Null if the image's own pixels are too coarse.
 * O(squares).
 */
export function qualityMap(
  { width, height, planes }: Squares,
  umPerPx: number,
  ownUmPerPx: number,
): QualityMap | null {
  if (ownUmPerPx > COARSEST_UM) return null;
  const of = (name: QualityPlane): Float32Array => planes[QUALITY_PLANES.indexOf(name)];
  const radius = Math.max(1, Math.round(WINDOW_UM / (GRID_PX * umPerPx)));
  const fine = windowMeans(of("fine"), width, height, radius);
  const coarse = windowMeans(of("coarse"), width, height, radius);
  const noise = windowMeans(of("noise"), width, height, radius);
  const limit = MIN_FINE_SHARE * (umPerPx / 0.5) ** FINE_SHARE_POWER;
  const codes = Uint8Array.from(coarse, (detail, i) => {
    if (detail < MIN_DETAIL) return code("not_judged");
    return code(fine[i] - NOISE_IN_FINE * noise[i] < limit * detail ? "blurred" : "good");
  });
  const mark = (quality: ImageQuality, is: (square: number) => boolean): void => {
    const marked = Float32Array.from(codes.keys(), (square) => Number(is(square)));
    windowMeans(marked, width, height, 1).forEach((share, square) => {
      if (marked[square] && share > AGREE - 1e-6) codes[square] = code(quality);
    });
  };
  const [density, ink] = [of("density"), of("ink")];
  mark("dark", (square) => density[square] >= DARK_DENSITY);
  mark("pen", (square) => ink[square] >= INKED);
  return { width, height, codes };
}

/** Quality codes at positions in working px (interleaved x and y); all "not_judged" if there is no map. */
export function qualityAt(map: QualityMap | null, xy: Float32Array): Uint8Array {
  return Uint8Array.from({ length: xy.length / 2 }, (_, i) => {
    if (map === null) return code("not_judged");
    const column = Math.min(map.width - 1, Math.max(0, Math.floor(xy[2 * i] / GRID_PX)));
    const row = Math.min(map.height - 1, Math.max(0, Math.floor(xy[2 * i + 1] / GRID_PX)));
    return map.codes[row * map.width + column];
  });
}

/** Fractions of the judged tissue. The mask (1 = tissue) covers the whole image. Null if no tissue could be judged. */
export function tissueQuality(
  map: QualityMap | null,
  mask: { nRows: number; nCols: number; data: Uint8Array },
): ImageQualityReport | null {
  if (map === null) return null;
  const counts = new Float64Array(IMAGE_QUALITIES.length);
  for (let row = 0; row < map.height; row++) {
    const maskRow = Math.floor(((row + 0.5) / map.height) * mask.nRows) * mask.nCols;
    for (let column = 0; column < map.width; column++) {
      const at = maskRow + Math.floor(((column + 0.5) / map.width) * mask.nCols);
      if (mask.data[at]) counts[map.codes[row * map.width + column]]++;
    }
  }
  const judged = counts.reduce((sum, n) => sum + n, 0) - counts[code("not_judged")];
  if (judged === 0) return null;
  const share = (quality: ImageQuality): number => counts[code(quality)] / judged;
  return { blurred: share("blurred"), dark: share("dark"), pen: share("pen") };
}

/** Warning to show the user about image quality, or null. */
export function blemishWords(
  { blurred, dark, pen }: ImageQualityReport,
  file: string,
): string | null {
  const percent = (share: number): string => `${Math.round(100 * share)}%`;
  if (blurred >= WORTH_TELLING) {
    return `${percent(blurred)} of the tissue in ${file} is out of focus, so nuclei are missed there and cells look alike: use a sharp scan of this section.`;
  }
  if (dark + pen >= WORTH_TELLING) {
    return `${percent(dark + pen)} of the tissue in ${file} is under ink, or too dark to see nuclei: use a clean scan of this section, or exclude the cells marked in image_quality.`;
  }
  return null;
}
