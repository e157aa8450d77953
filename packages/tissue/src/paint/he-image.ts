import { Random } from "@stipple/numerics/random";
import type { TissuePlan } from "../catalog/tissue-plan.ts";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { TissueOptions } from "../options.ts";
import { Noise, smoothstep } from "../anatomy/noise.ts";
import { blur } from "./blur.ts";
import { noiseHash } from "../anatomy/noise-hash.ts";
import type { Raster } from "./raster.ts";
import { HeClutter } from "./he-clutter.ts";
import { HePainter, type Strip } from "./he-strip.ts";

/** Optical density of one unit of each stain in R, G, B. */
const HEMATOXYLIN = [0.62, 0.74, 0.36] as const;
const EOSIN = [0.13, 0.86, 0.48] as const;
const BLOOD = [0.22, 0.95, 0.74] as const;
const STRIP_ROWS = 256;
/** Optical blur in and out of focus (standard deviation, µm), and the length scale of focus changes. */
const SHARP_UM = 0.42;
const SOFT_UM = 0.95;
/** Additions in a difficult image: fine texture in focus, more of it out of focus, and stronger stain. */
const SHARPER_UM = 0.12;
const SOFTER_UM = 0.1;
const DARKER = 0.3;
const FOCUS_UM = 330;
const FOCUS_STEP = 4;

/**
 * Renders the tissue under H&E: stain concentrations, optical blur, Beer–Lambert absorption (I = I₀·exp(−Σ
 * c·OD)), and sensor noise. O(pixels); the RGB image is the only full-size array.
 */
export function paintHe(
  plan: TissuePlan,
  map: TissueMap,
  cells: Cells,
  options: TissueOptions,
  progress: (fraction: number) => void = () => undefined,
): Raster {
  const width = Math.round(options.sizeUm / options.umPerPx);
  const rgb = new Uint8Array(width * width * 3);
  const painter = new HePainter(plan, map, cells, options);
  const random = new Random(options.seed + 3 * 2 ** 32);
  const difficulty = options.imageDifficulty;
  const tint = (stain: readonly number[]): number[] =>
    stain.map((value) => value * (1 + 0.08 * random.normal()) * (1 + DARKER * difficulty));
  const stains = { hematoxylin: tint(HEMATOXYLIN), eosin: tint(EOSIN), blood: tint(BLOOD) };
  const clutter = new HeClutter(options.seed, difficulty);
  const focus = new Noise(options.seed, 6);
  const sharpUm = SHARP_UM - SHARPER_UM * difficulty;
  const softUm = SOFT_UM + SOFTER_UM * difficulty;
  const sharpSigma = sharpUm / options.umPerPx;
  const softSigma = Math.sqrt(softUm ** 2 - sharpUm ** 2) / options.umPerPx;
  const halo = Math.ceil(2.5 * sharpSigma) + Math.ceil(2.5 * softSigma);
  for (let top = 0; top < width; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, width - top);
    const first = Math.max(0, top - halo);
    const last = Math.min(width, top + rows + halo);
    const strip = painter.paint(first, last - first, width);
    blur(planesOf(strip), strip.width, strip.rows, sharpSigma);
    if (difficulty > 0) granulate(strip, clutter, options.umPerPx);
    defocus(strip, softSigma, (column, row) => {
      const x = (column * options.umPerPx) / FOCUS_UM;
      return smoothstep(
        0.05 - 0.15 * difficulty,
        0.9,
        focus.at(x, (row * options.umPerPx) / FOCUS_UM),
      );
    });
    develop(strip, top, rows, stains, options.seed, rgb);
    progress((top + rows) / width);
  }
  return { width, height: width, preview: rgb, channels: null };
}

/** Fine texture of both stains, which would not survive the optical blur. O(pixels). */
function granulate(strip: Strip, clutter: HeClutter, umPerPx: number): void {
  for (let row = 0; row < strip.rows; row++) {
    const y = (strip.top + row) * umPerPx;
    for (let column = 0; column < strip.width; column++) {
      const pixel = row * strip.width + column;
      const x = column * umPerPx;
      strip.hematoxylin[pixel] *= clutter.granule(x, y);
      strip.eosin[pixel] *= clutter.granule(x + 53, y + 29);
    }
  }
}

function planesOf(strip: Strip): Float32Array[] {
  return [strip.hematoxylin, strip.eosin, strip.blood];
}

/**
 * Blends each pixel with a blurred image by `amount` (0–1), sampled on a coarse lattice. O(pixels × radius).
 */
function defocus(
  strip: Strip,
  sigma: number,
  amount: (column: number, row: number) => number,
): void {
  const planes = ["hematoxylin", "eosin", "blood"] as const;
  const soft: Strip = { ...strip };
  for (const plane of planes) soft[plane] = strip[plane].slice();
  blur(planesOf(soft), soft.width, soft.rows, sigma);
  const { width, rows } = strip;
  const weights = new Float32Array(Math.ceil(width / FOCUS_STEP));
  for (let row = 0; row < rows; row++) {
    if (row % FOCUS_STEP === 0 || row === 0) {
      for (let i = 0; i < weights.length; i++) {
        weights[i] = amount(i * FOCUS_STEP, strip.top + row);
      }
    }
    for (const plane of planes) {
      const sharp = strip[plane];
      const blurred = soft[plane];
      for (let column = 0; column < width; column++) {
        const pixel = row * width + column;
        const weight = weights[(column / FOCUS_STEP) | 0];
        sharp[pixel] += weight * (blurred[pixel] - sharp[pixel]);
      }
    }
  }
}

const BACKGROUND = [243, 241, 245] as const;
const NOISE_LEVELS = 2.2;

/** exp(−density) in steps of 1/1024: three exponentials per pixel would cost more than everything else. */
const TRANSMISSION = Float32Array.from({ length: 8192 }, (_, i) => Math.exp(-(i + 0.5) / 1024));

function develop(
  strip: Strip,
  top: number,
  rows: number,
  stains: { hematoxylin: number[]; eosin: number[]; blood: number[] },
  seed: number,
  rgb: Uint8Array,
): void {
  const { width } = strip;
  for (let channel = 0; channel < 3; channel++) {
    const hematoxylin = stains.hematoxylin[channel] * 1024;
    const eosin = stains.eosin[channel] * 1024;
    const blood = stains.blood[channel] * 1024;
    const white = BACKGROUND[channel];
    for (let i = 0; i < rows * width; i++) {
      const source = (top - strip.top) * width + i;
      const target = (top * width + i) * 3 + channel;
      const density =
        strip.hematoxylin[source] * hematoxylin +
        strip.eosin[source] * eosin +
        strip.blood[source] * blood;
      const random = noiseHash(target + seed);
      // Two bytes of the hash make a triangular variable with variance 1/6.
      const triangular = ((random & 255) + ((random >>> 8) & 255)) / 255 - 1;
      const value =
        white * TRANSMISSION[Math.min(8191, density | 0)] + NOISE_LEVELS * 2.45 * triangular;
      rgb[target] = value < 0 ? 0 : value > 255 ? 255 : (value + 0.5) | 0;
    }
  }
}
