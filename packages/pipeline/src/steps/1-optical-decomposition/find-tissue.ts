import { quantile } from "../../optics/estimate-stains.ts";
import { readOverview, type Overview } from "../../optics/read-overview.ts";
import type { MaskOnImage } from "../../optics/sample-windows.ts";
import type { TissueImage } from "../../readers/images/tissue-image.ts";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { squaredDistanceTransform } from "@stipple/numerics/distance-transform";
import { floodFrom } from "../../optics/outside-scan.ts";

/** An image at mask resolution, and where it shows tissue. */
export interface SeenTissue {
  overview: Overview;
  tissue: MaskOnImage;
  /** Share of the image that is tissue. */
  fraction: number;
  fluorescent: boolean;
}

/** Finds the tissue on an image with `umPerPixel`. O(pixels of the mask), and reading the image at that resolution. */
export async function findTissue(
  image: TissueImage,
  options: { umPerPixel: number; staining: "h_and_e" | "if"; signal: AbortSignal },
): Promise<SeenTissue> {
  const factor = Math.max(1, MASK_UM / options.umPerPixel);
  const width = Math.max(1, Math.round(image.widthPx / factor));
  const height = Math.max(1, Math.round(image.heightPx / factor));
  const fluorescent = options.staining === "if";
  const overview = await readOverview(image, width, height, fluorescent, options.signal);
  const umPerPixel = (options.umPerPixel * image.widthPx) / width;
  const mask = tissueMask(overview.signal, width, height, { ...overview, umPerPixel });
  if (fluorescent) addDimTissue(mask, overview, width, height, umPerPixel);
  const [stepX, stepY] = [image.widthPx / width, image.heightPx / height];
  const tissue = { mask, width, height, stepX, stepY };
  return { overview, tissue, fraction: shareOf(mask), fluorescent };
}

/** The quantile of a channel that is taken for the brightness of glass. */
const GLASS_QUANTILE = 0.01;
/** Tissue is at least this many times as bright as glass. */
const MIN_TIMES_GLASS = 2;

/**
 * Adds the tissue that single channels show. If a marker is bright in one part of the tissue, the threshold of the sum
 * finds only that part and misses the rest, which may show nothing but its nuclei.
 */
function addDimTissue(
  mask: Uint8Array,
  { planes, outside }: Overview,
  width: number,
  height: number,
  umPerPixel: number,
): void {
  for (const plane of planes) {
    const scanned = outside ? plane.filter((_, i) => !outside[i]) : plane;
    const floor = quantile(scanned, GLASS_QUANTILE) + Math.log(MIN_TIMES_GLASS);
    const options = { umPerPixel, floor, ceiling: Infinity, outside };
    tissueMask(plane, width, height, options).forEach((value, i) => (mask[i] |= value));
  }
}

/** Share of a mask's pixels that are 1. */
export function shareOf(mask: Uint8Array): number {
  return mask.reduce((sum, value) => sum + value, 0) / mask.length;
}

/** Side of a mask pixel, µm, unless the image is coarser. */
export const MASK_UM = 8;

/** Otsu's threshold (1979) over 256 classes between the minimum and maximum value. */
export function otsuThreshold(values: Float32Array): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return low;
  const histogram = new Float64Array(256);
  const factor = 256 / (high - low);
  for (const value of values) histogram[Math.min(255, Math.floor((value - low) * factor))]++;
  let total = 0;
  for (let c = 0; c < 256; c++) total += c * histogram[c];
  let [below, sumBelow, best, bestClass] = [0, 0, -1, 0];
  for (let c = 0; c < 255; c++) {
    below += histogram[c];
    sumBelow += c * histogram[c];
    const above = values.length - below;
    if (below === 0 || above === 0) continue;
    const difference = sumBelow / below - (total - sumBelow) / above;
    const between = below * above * difference * difference;
    if (between > best) {
      best = between;
      bestClass = c;
    }
  }
  return low + (bestClass + 1) / factor;
}

/**
 * Tissue mask where `signal` (optical density, or log fluorescence) is high: smoothed, thresholded between
 * `floor` and `ceiling` by Otsu's method, closed and opened, with specks and pinholes removed. 1 = tissue.
 * `outside`: 1 = not scanned, so neither tissue nor background. O(pixels).
 */
export function tissueMask(
  signal: Float32Array,
  width: number,
  height: number,
  options: { umPerPixel: number; floor: number; ceiling: number; outside?: Uint8Array | null },
): Uint8Array {
  const { outside } = options;
  const pixels = (um: number): number => um / options.umPerPixel;
  const smooth = gaussianBlur(signal, width, height, Math.max(0.5, pixels(12)));
  const scanned = outside ? smooth.filter((_, i) => !outside[i]) : smooth;
  const threshold = Math.min(options.ceiling, Math.max(options.floor, otsuThreshold(scanned)));
  let mask: Uint8Array = Uint8Array.from(smooth, (value) => Number(value > threshold));
  mask = grown(mask, width, height, pixels(25));
  mask = shrunk(mask, width, height, pixels(25));
  mask = shrunk(mask, width, height, pixels(12));
  mask = grown(mask, width, height, pixels(12));
  flipSmallRegions(mask, width, 1, pixels(80) ** 2);
  flipSmallRegions(mask, width, 0, pixels(60) ** 2);
  return outside ? mask.map((value, i) => (outside[i] ? 0 : value)) : mask;
}

function grown(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return nearTo(mask, 1, width, height, radius);
}

function shrunk(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return nearTo(mask, 0, width, height, radius).map((near) => 1 - near);
}

/** 1 where a pixel with the given value is within `radius` px. */
function nearTo(
  mask: Uint8Array,
  value: 0 | 1,
  width: number,
  height: number,
  radius: number,
): Uint8Array {
  if (!mask.includes(value)) return new Uint8Array(mask.length);
  const distance = squaredDistanceTransform(
    mask.map((m) => Number(m !== value)),
    width,
    height,
  );
  return Uint8Array.from(distance, (d) => Number(d <= radius * radius));
}

/** Flips 4-connected regions of `value` smaller than `minArea` pixels. */
function flipSmallRegions(mask: Uint8Array, width: number, value: 0 | 1, minArea: number): void {
  const seen = new Uint8Array(mask.length);
  const queue = new Uint32Array(mask.length);
  for (let start = 0; start < mask.length; start++) {
    if (seen[start] || mask[start] !== value) continue;
    const size = floodFrom(start, mask, seen, queue, width);
    if (size < minArea) for (const at of queue.subarray(0, size)) mask[at] = 1 - value;
  }
}
