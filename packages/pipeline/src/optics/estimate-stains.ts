import type { StainModel } from "../facts.ts";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { isInk, opticalDensityTable, separateStains, type Triple } from "./separate-stains.ts";

/** Ruifrok & Johnston (2001), as unit vectors in R, G, B. */
const STANDARD_HEMATOXYLIN: Triple = unit([0.65, 0.7, 0.29]);
const STANDARD_EOSIN: Triple = unit([0.07, 0.99, 0.11]);

/** Pixels with a lower mean optical density over the channels are background. */
const MIN_DENSITY = 0.15;
/** Fewer stained pixels than this give no stable directions. */
const MIN_PIXELS = 2000;
/** Neighboring pixels that are kept or left out together, and the share of ink that none but inked tissue has. */
const STRETCH = 256;
const SOME_INK = 0.05;
/** Directions are taken at these quantiles of the angles, so that single outlier pixels have no effect. */
const EXTREME = 0.01;
/** An estimated vector must be at least this close (cosine) to the standard vector of its stain. */
const PLAUSIBLE_COSINE = 0.8;
/** Closer together than this (cosine), the two stains cannot be distinguished. */
const MAX_COSINE = 0.985;

/**
 * Stain vectors by Macenko et al. (2009) from sampled RGB8 pixels of tissue: the plane of the two strongest directions
 * of optical density, and the extreme angles within it. Falls back to standard vectors if the sample has too few
 * stained pixels or the result is not plausibly hematoxylin and eosin. Pixels under ink would make its color an extreme
 * one, and count as none. O(pixels).
 */
export function estimateStains(sampled: Uint8Array, background: Triple): StainModel {
  const rgb = withoutInk(sampled, background);
  const vectors = macenkoVectors(rgb, background);
  const model: StainModel = {
    background,
    hematoxylin: vectors?.hematoxylin ?? STANDARD_HEMATOXYLIN,
    eosin: vectors?.eosin ?? STANDARD_EOSIN,
    maxHematoxylin: 1,
    maxEosin: 1,
    source: vectors ? "estimated" : "standard",
  };
  const { hematoxylin, eosin } = separateStains(rgb, model);
  // At least half an optical density, so that noise in unstained images is not amplified.
  model.maxHematoxylin = Math.max(0.5, quantile(hematoxylin, 0.99));
  model.maxEosin = Math.max(0.5, quantile(eosin, 0.99));
  return model;
}

/** Leaves out stretches of pixels with ink: around pixels of its color, others are a mixture with the stains. */
function withoutInk(rgb: Uint8Array, background: Triple): Uint8Array {
  const [red, green, blue] = background.map(opticalDensityTable);
  const kept: Uint8Array[] = [];
  for (let from = 0; from < rgb.length; from += 3 * STRETCH) {
    const pixels = rgb.subarray(from, from + 3 * STRETCH);
    let inked = 0;
    for (let i = 0; i + 2 < pixels.length; i += 3) {
      inked += Number(isInk(red[pixels[i]], green[pixels[i + 1]], blue[pixels[i + 2]]));
    }
    if (inked <= SOME_INK * (pixels.length / 3)) kept.push(pixels);
  }
  return Buffer.concat(kept);
}

function macenkoVectors(
  rgb: Uint8Array,
  background: Triple,
): { hematoxylin: Triple; eosin: Triple } | null {
  const density = stainedDensities(rgb, background);
  const n = density.length / 3;
  if (n < MIN_PIXELS) return null;
  const { vectors } = symmetricEigen(secondMoments(density), 3);
  const axis = (column: number): Triple => {
    const v: Triple = [vectors[column], vectors[3 + column], vectors[6 + column]];
    return v[0] + v[1] + v[2] < 0 ? [-v[0], -v[1], -v[2]] : v;
  };
  const [first, second] = [axis(0), axis(1)];
  const angles = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const [r, g, b] = [density[3 * i], density[3 * i + 1], density[3 * i + 2]];
    angles[i] = Math.atan2(
      r * second[0] + g * second[1] + b * second[2],
      r * first[0] + g * first[1] + b * first[2],
    );
  }
  const at = (angle: number): Triple =>
    unit(
      first.map((value, c) =>
        Math.max(0, value * Math.cos(angle) + second[c] * Math.sin(angle)),
      ) as Triple,
    );
  const low = at(quantile(angles, EXTREME));
  const high = at(quantile(angles, 1 - EXTREME));
  // Hematoxylin absorbs more red than eosin does.
  const [hematoxylin, eosin] = low[0] > high[0] ? [low, high] : [high, low];
  const plausible =
    dot(hematoxylin, STANDARD_HEMATOXYLIN) >= PLAUSIBLE_COSINE &&
    dot(eosin, STANDARD_EOSIN) >= PLAUSIBLE_COSINE &&
    dot(hematoxylin, eosin) <= MAX_COSINE;
  return plausible ? { hematoxylin, eosin } : null;
}

/** Optical densities of the stained pixels, interleaved. */
function stainedDensities(rgb: Uint8Array, background: Triple): Float32Array {
  const tables = background.map(opticalDensityTable);
  const density = new Float32Array(rgb.length);
  let kept = 0;
  for (let i = 0; i + 2 < rgb.length; i += 3) {
    const r = tables[0][rgb[i]];
    const g = tables[1][rgb[i + 1]];
    const b = tables[2][rgb[i + 2]];
    // Eosin absorbs hardly any red, so the sum decides, not each channel.
    if (r + g + b < 3 * MIN_DENSITY) continue;
    density[kept++] = r;
    density[kept++] = g;
    density[kept++] = b;
  }
  return density.subarray(0, kept);
}

function secondMoments(density: Float32Array): Float64Array {
  const moments = new Float64Array(9);
  for (let i = 0; i < density.length; i += 3) {
    for (let a = 0; a < 3; a++) {
      for (let b = a; b < 3; b++) moments[3 * a + b] += density[i + a] * density[i + b];
    }
  }
  for (let a = 0; a < 3; a++) for (let b = 0; b < a; b++) moments[3 * a + b] = moments[3 * b + a];
  const n = density.length / 3;
  return moments.map((value) => value / n);
}

/** Glass is nearly gray; in an image without glass, the brightest places have the color of the tissue. */
const MAX_GLASS_SATURATION = 0.15;

/**
 * Intensity of bare glass in an RGB8 overview: the mean color of the brightest hundredth if that is nearly gray,
 * otherwise a gray as bright as the brightest channel.
 */
export function backgroundOf(rgb: Uint8Array): Triple {
  const n = Math.floor(rgb.length / 3);
  const brightness = new Float32Array(n);
  for (let i = 0; i < n; i++) brightness[i] = rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2];
  const limit = quantile(brightness, 0.99);
  const sums: Triple = [0, 0, 0];
  const peaks: Triple = [0, 0, 0];
  let count = 0;
  for (let i = 0; i < n; i++) {
    const bright = brightness[i] >= limit;
    count += Number(bright);
    for (let c = 0; c < 3; c++) {
      const value = rgb[3 * i + c];
      if (bright) sums[c] += value;
      if (value > peaks[c]) peaks[c] = value;
    }
  }
  const mean = sums.map((sum) => Math.round(sum / Math.max(1, count))) as Triple;
  const saturation = 1 - Math.min(...mean) / Math.max(1, ...mean);
  if (count > 0 && saturation <= MAX_GLASS_SATURATION) return mean;
  const gray = n > 0 ? Math.max(1, ...peaks) : 255;
  return [gray, gray, gray];
}

/** Quantile from a histogram of 4,096 bins: accurate to 0.025 % of the range. */
export function quantile(values: Float32Array, fraction: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(high > low)) return Number.isFinite(low) ? low : 0;
  const classes = 4096;
  const histogram = new Uint32Array(classes);
  const factor = classes / (high - low);
  for (const value of values)
    histogram[Math.min(classes - 1, Math.floor((value - low) * factor))]++;
  let rest = fraction * values.length;
  for (let c = 0; c < classes; c++) {
    rest -= histogram[c];
    if (rest < 0) return low + (c + 0.5) / factor;
  }
  return high;
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(v: Triple): Triple {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
