import { Random } from "@stipple/pipeline/numerics/random";
import type { TissuePlan } from "../catalogue/tissue-plan.ts";
import type { Cells } from "../anatomy/place-cells.ts";
import type { TissueMap } from "../anatomy/tissue-map.ts";
import type { TissueOptions } from "../options.ts";
import { HePainter, type Strip } from "./he-strip.ts";

/** Optical density of one unit of each stain in R, G, B. */
const HAEMATOXYLIN = [0.66, 0.7, 0.29] as const;
const EOSIN = [0.12, 0.83, 0.42] as const;
const BLOOD = [0.1, 0.95, 0.8] as const;
const STRIP_ROWS = 256;

export interface Raster {
  width: number;
  height: number;
  /** RGB, three bytes a pixel. */
  rgb: Uint8Array;
}

/**
 * Renders the tissue under H&E: stain concentrations, blur by the optics, Beer–Lambert absorption
 * (I = I₀·exp(−Σ c·OD)), noise of the sensor. O(pixels); the RGB image is the only full-size array.
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
  const tint = (stain: readonly number[]): number[] =>
    stain.map((value) => value * (1 + 0.08 * random.normal()));
  const stains = { haematoxylin: tint(HAEMATOXYLIN), eosin: tint(EOSIN), blood: tint(BLOOD) };
  const sigma = 0.42 / options.umPerPx;
  const halo = Math.ceil(3 * sigma);
  for (let top = 0; top < width; top += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, width - top);
    const first = Math.max(0, top - halo);
    const last = Math.min(width, top + rows + halo);
    const strip = painter.paint(first, last - first, width);
    blur(strip, sigma);
    develop(strip, top, rows, stains, options.seed, rgb);
    progress((top + rows) / width);
  }
  return { width, height: width, rgb };
}

/** Gaussian blur of the concentrations, in place. */
function blur(strip: Strip, sigma: number): void {
  const radius = Math.ceil(2.5 * sigma);
  const kernel = Float32Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma * sigma)),
  );
  const total = kernel.reduce((sum, value) => sum + value, 0);
  for (let i = 0; i < kernel.length; i++) kernel[i]! /= total;
  const { width, rows } = strip;
  const between = new Float32Array(width * rows);
  for (const plane of [strip.haematoxylin, strip.eosin, strip.blood]) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        let sum = 0;
        for (let k = -radius; k <= radius; k++) {
          const x = Math.min(width - 1, Math.max(0, column + k));
          sum += kernel[k + radius]! * plane[row * width + x]!;
        }
        between[row * width + column] = sum;
      }
    }
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        let sum = 0;
        for (let k = -radius; k <= radius; k++) {
          const y = Math.min(rows - 1, Math.max(0, row + k));
          sum += kernel[k + radius]! * between[y * width + column]!;
        }
        plane[row * width + column] = sum;
      }
    }
  }
}

const BACKGROUND = [243, 241, 245] as const;
const NOISE_LEVELS = 2.2;

function develop(
  strip: Strip,
  top: number,
  rows: number,
  stains: { haematoxylin: number[]; eosin: number[]; blood: number[] },
  seed: number,
  rgb: Uint8Array,
): void {
  const { width } = strip;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) {
      const source = (top - strip.top + row) * width + column;
      const target = ((top + row) * width + column) * 3;
      const h = strip.haematoxylin[source]!;
      const e = strip.eosin[source]!;
      const b = strip.blood[source]!;
      const random = hash(target + seed);
      for (let channel = 0; channel < 3; channel++) {
        const density =
          h * stains.haematoxylin[channel]! +
          e * stains.eosin[channel]! +
          b * stains.blood[channel]!;
        // Two bytes of the hash make a triangular variable of variance 1/6.
        const triangular =
          (((random >>> (channel * 8)) & 255) + ((random >>> ((channel * 8 + 12) % 24)) & 255)) /
            255 -
          1;
        const value = BACKGROUND[channel]! * Math.exp(-density) + NOISE_LEVELS * 2.45 * triangular;
        rgb[target + channel] = value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
      }
    }
  }
}

/** Integer hash (Wang's constants mixed twice): noise that does not depend on the order of painting. */
function hash(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
