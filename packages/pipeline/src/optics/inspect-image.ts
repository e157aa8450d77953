import { InputError } from "../errors.ts";
import type { ImageFacts } from "../facts.ts";
import type { Matrix } from "@stipple/numerics/matrices";
import { reducedSize, wholeImage, type TissueImage } from "../readers/images/tissue-image.ts";
import { backgroundOf } from "./estimate-stains.ts";
import { insideOf, outsideOfChannels, outsideOfColors } from "./outside-scan.ts";
import { opticalDensityTable } from "./separate-stains.ts";
import { checkStaining, type SmallView } from "./staining-check.ts";

/** Longer side of the view on which an image is checked, px. */
const VIEW_PX = 1000;
/**
 * Images with fewer pixels to decode than this are quick to view whole, and are checked before anything else is done.
 */
const QUICK_PX = 60e6;
/**
 * Mean difference in optical density between the lightest and the densest tenth of a view without tissue; noise
 * averages out.
 */
const MIN_DENSITY = 0.04;
/** Ratio of the brightest to the darkest parts of a fluorescence channel without tissue. */
const MIN_RATIO = 1.1;

/** Whether the whole image can be viewed in a moment; otherwise step 1 checks it, once it has a tiled copy. */
export function isQuickToSee(image: Pick<TissueImage, "overviewPx">): boolean {
  return image.overviewPx <= QUICK_PX;
}

/**
 * Checks an image as a whole: does it have the chosen staining, and does it show tissue? `xy` are spots in
 * full-resolution pixels. Returns warnings. Throws {@link InputError} with a message that says what to choose.
 */
export async function inspectImage(
  image: TissueImage,
  xy: Matrix,
  facts: Pick<ImageFacts, "file" | "scale">,
  options: { staining: "h_and_e" | "if"; signal: AbortSignal },
): Promise<string[]> {
  const view = await smallView(image, xy, facts.scale, options.signal);
  const file = facts.file ?? "the image";
  const warnings = checkStaining(view, image, file, options.staining);
  if (!showsTissue(view, options.staining)) {
    throw new InputError(
      `${file} shows no tissue (it looks uniform): choose the image of this sample.`,
    );
  }
  return warnings;
}

async function smallView(
  image: TissueImage,
  xy: Matrix,
  imageScale: number,
  signal: AbortSignal,
): Promise<SmallView> {
  const { width, height } = reducedSize(image, VIEW_PX);
  const region = wholeImage(image, width, height, signal);
  const channels: Uint16Array[] = [];
  if (image.kind === "channels") {
    for (let c = 0; c < image.channels; c++) {
      channels.push((await image.getChannel(c, region)).data);
    }
  }
  const rgb = image.kind === "channels" ? null : (await image.getRegion(region)).data;
  const under = new Uint8Array(width * height);
  for (let spot = 0; spot < xy.nRows; spot++) {
    const x = Math.floor(((xy.data[2 * spot] / imageScale) * width) / image.widthPx);
    const y = Math.floor(((xy.data[2 * spot + 1] / imageScale) * height) / image.heightPx);
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        under[v * width + u] = 1;
      }
    }
  }
  const outside = rgb
    ? outsideOfColors(rgb, width, height, { onlyStraight: true })
    : outsideOfChannels(channels, width, height, image.bitsPerSample > 8 ? 65_535 : 255);
  const isScanned = (i: number): boolean => outside?.[i] !== 1;
  const spotPixels = Uint32Array.from(under.keys()).filter((i) => under[i] === 1 && isScanned(i));
  return {
    width,
    height,
    rgb,
    channels,
    outside,
    spotPixels:
      spotPixels.length > 0 ? spotPixels : Uint32Array.from(under.keys()).filter(isScanned),
  };
}

/** Squares of a view that are averaged, px: single-pixel noise is not tissue. */
const SQUARE = 8;

function showsTissue(view: SmallView, staining: "h_and_e" | "if"): boolean {
  if (view.rgb && staining === "h_and_e") {
    const scanned = view.outside ? insideOf(view.rgb, view.outside) : view.rgb;
    const tables = backgroundOf(scanned).map(opticalDensityTable);
    const density = Float32Array.from({ length: view.rgb.length / 3 }, (_, i) =>
      tables.reduce((most, table, c) => Math.max(most, table[view.rgb![3 * i + c]]), 0),
    );
    const [low, high] = spread(squareMeans(density, view));
    return high - low >= MIN_DENSITY || low >= 0.1;
  }
  const rgb = view.rgb;
  const planes = rgb
    ? [0, 1, 2].map((c) => Float32Array.from({ length: rgb.length / 3 }, (_, i) => rgb[3 * i + c]))
    : view.channels.map((channel) => Float32Array.from(channel));
  return planes.some((plane) => {
    const [low, high] = spread(squareMeans(plane, view));
    return (high + 1) / (low + 1) >= MIN_RATIO;
  });
}

function squareMeans(values: Float32Array, { width, height, outside }: SmallView): Float32Array {
  const columns = Math.ceil(width / SQUARE);
  const sums = new Float64Array(columns * Math.ceil(height / SQUARE));
  const counts = new Uint32Array(sums.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (outside?.[y * width + x]) continue;
      const square = Math.floor(y / SQUARE) * columns + Math.floor(x / SQUARE);
      sums[square] += values[y * width + x];
      counts[square]++;
    }
  }
  return Float32Array.from(sums, (sum, i) => sum / counts[i]).filter((_, i) => counts[i] > 0);
}

/** First and 99th percentile. */
function spread(values: Float32Array): [number, number] {
  const sorted = values.toSorted();
  const at = (fraction: number): number => sorted[Math.round(fraction * (sorted.length - 1))];
  return [at(0.01), at(0.99)];
}
