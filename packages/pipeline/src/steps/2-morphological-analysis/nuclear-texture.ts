import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { inStretches } from "@stipple/numerics/in-stretches";
import { release } from "@stipple/numerics/release";
import { emptySums, type LabeledPixels, type LabelSums } from "./label-sums.ts";

/** Sums of texture measures of the nuclear stain over each object's pixels. */
export interface TextureSums {
  /** Gradient magnitude, per 0.5 µm, after a 0.4 µm blur. */
  gradient: LabelSums;
  /** Differences of Gaussians at 0.5 and at 1 µm. */
  logFine: LabelSums;
  logCoarse: LabelSums;
  /** Standard deviation of a pixel and its four neighbors. */
  localSd: LabelSums;
}

/** Successive blurs, µm. Their variances add: 0.4² + 0.693² = 0.8², 0.8² + 1.3855² = 1.6². */
const SIGMAS_UM = [0.4, 0.693, 1.3855];
/** Unit length of the gradient, µm. */
const STEP_UM = 0.5;

/** Texture of a plane (width × height px of umPerPx) over each set of pixels of objects 1 … count. O(pixels). */
export function textureSums(
  plane: Float32Array,
  size: { width: number; height: number; umPerPx: number },
  places: readonly LabeledPixels[],
  count: number,
): TextureSums[] {
  const sigmas = SIGMAS_UM.map((sigma) => sigma / size.umPerPx);
  // Nothing farther away matters: each blur is cut off at 3 σ, and the gradient reaches one pixel more.
  const reach = sigmas.reduce((sum, sigma) => sum + Math.ceil(3 * sigma), 1);
  const perStep = STEP_UM / size.umPerPx / 2;
  const box = boundsOf(places, size, reach);
  const { width, height } = box;
  const own = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (box.y + y) * size.width + box.x;
    own.set(plane.subarray(from, from + width), y * width);
  }
  const fine = gaussianBlur(own, width, height, sigmas[0]);
  const middle = gaussianBlur(fine, width, height, sigmas[1]);
  const coarse = gaussianBlur(middle, width, height, sigmas[2]);
  const blurred = { own, fine, middle, coarse, box, imageWidth: size.width, perStep };
  const found = places.map((pixels) => {
    const sums = {
      gradient: emptySums(count),
      logFine: emptySums(count),
      logCoarse: emptySums(count),
      localSd: emptySums(count),
    };
    inStretches(pixels.at.length, (from, to) => addStretch(sums, blurred, pixels, from, to));
    return sums;
  });
  for (const image of [own, fine, middle, coarse]) release(image);
  return found;
}

/** A plane cropped to a box, and its blurs. */
interface Blurred {
  own: Float32Array;
  fine: Float32Array;
  middle: Float32Array;
  coarse: Float32Array;
  box: { x: number; y: number; width: number; height: number };
  imageWidth: number;
  perStep: number;
}

function addStretch(
  { gradient, logFine, logCoarse, localSd }: TextureSums,
  { own, fine, middle, coarse, box, imageWidth, perStep }: Blurred,
  { at, label }: LabeledPixels,
  from: number,
  to: number,
): void {
  const { width, height } = box;
  const f32 = Math.fround;
  for (let j = from; j < to; j++) {
    const k = label[j];
    const x = (at[j] % imageWidth) - box.x;
    const y = Math.floor(at[j] / imageWidth) - box.y;
    const p = y * width + x;
    const left = x > 0 ? -1 : 0;
    const right = x < width - 1 ? 1 : 0;
    const up = y > 0 ? -width : 0;
    const down = y < height - 1 ? width : 0;
    const dx = fine[p + right] - fine[p + left];
    const dy = fine[p + down] - fine[p + up];
    add(gradient, k, f32(Math.sqrt(dx * dx + dy * dy) * perStep));
    add(logFine, k, f32(fine[p] - middle[p]));
    add(logCoarse, k, f32(middle[p] - coarse[p]));
    const a = own[p];
    const b = own[p + left];
    const c = own[p + right];
    const d = own[p + up];
    const e = own[p + down];
    const mean = (a + b + c + d + e) / 5;
    const spread = (a * a + b * b + c * c + d * d + e * e) / 5 - mean * mean;
    add(localSd, k, f32(Math.sqrt(Math.max(0, spread))));
  }
}

function add({ sum, squares }: LabelSums, k: number, value: number): void {
  sum[k] += value;
  squares[k] += value * value;
}

/** Bounding box of all pixels, padded by `reach` px and clipped to the image. */
function boundsOf(
  places: readonly LabeledPixels[],
  { width, height }: { width: number; height: number },
  reach: number,
): { x: number; y: number; width: number; height: number } {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (const { at } of places) {
    if (at.length === 0) continue;
    top = Math.min(top, Math.floor(at[0] / width));
    bottom = Math.max(bottom, Math.floor(at[at.length - 1] / width) + 1);
    for (let j = 0; j < at.length; j++) {
      const x = at[j] % width;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
    }
  }
  if (right <= left) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.max(0, left - reach);
  const y = Math.max(0, top - reach);
  return {
    x,
    y,
    width: Math.min(width, right + reach) - x,
    height: Math.min(height, bottom + reach) - y,
  };
}
