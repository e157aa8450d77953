import { quantile } from "../optics/estimate-stains.ts";
import { NETWORK_MULTIPLE_PX } from "./nucleus-network.ts";

/** A tile as passed to the network. */
export interface NetworkView {
  /** Colors of a brightfield image, interleaved; null for fluorescence. */
  rgb: Uint8Array | null;
  /** The first plane is the nuclear channel. */
  planes: readonly Float32Array[];
}

/** Three planes of height × width for the network. */
export interface NetworkInput {
  data: Float32Array;
  width: number;
  height: number;
}

/** What counts as dark and as bright in a slide's nuclear channel; not used for brightfield. */
export interface BrightnessRange {
  low: number;
  high: number;
}

/** Smallest range, so that the noise of a channel without nuclei is not stretched until it looks like nuclei. */
const MIN_RANGE = 0.03;

/** Fractions of the slide's pixels at the dark and bright ends, as in the network's training. */
const DARK = 0.01;
const BRIGHT = 0.998;

/** The slide's range from its nuclear channel's values, or a sample of them. */
export function brightnessRange(nuclear: Float32Array): BrightnessRange {
  const low = quantile(nuclear, DARK);
  return { low, high: Math.max(low + MIN_RANGE, quantile(nuclear, BRIGHT)) };
}

/**
 * Converts a tile to the network's training format: red, green, and blue from 0 to 1. For fluorescence, the negative of
 * the nuclear channel is used, so that nuclei are dark on light in every image. Sides are padded to multiples of 16 px
 * with the last pixel. O(pixels).
 */
export function networkInput(
  view: NetworkView,
  width: number,
  height: number,
  brightness: BrightnessRange,
): NetworkInput {
  const fullWidth = Math.ceil(width / NETWORK_MULTIPLE_PX) * NETWORK_MULTIPLE_PX;
  const fullHeight = Math.ceil(height / NETWORK_MULTIPLE_PX) * NETWORK_MULTIPLE_PX;
  const input = {
    data: new Float32Array(3 * fullWidth * fullHeight),
    width: fullWidth,
    height: fullHeight,
  };
  for (let y = 0; y < fullHeight; y++) {
    const row = Math.min(y, height - 1) * width;
    if (view.rgb) fillFromColors(input, y, view.rgb.subarray(3 * row, 3 * (row + width)));
    else fillFromNuclear(input, y, view.planes[0].subarray(row, row + width), brightness);
  }
  return input;
}

function fillFromColors({ data, width, height }: NetworkInput, y: number, rgb: Uint8Array): void {
  const last = rgb.length / 3 - 1;
  for (let x = 0, to = y * width; x < width; x++, to++) {
    const from = 3 * Math.min(x, last);
    for (let c = 0; c < 3; c++) data[c * width * height + to] = rgb[from + c] / 255;
  }
}

function fillFromNuclear(
  { data, width, height }: NetworkInput,
  y: number,
  nuclear: Float32Array,
  { low, high }: BrightnessRange,
): void {
  const last = nuclear.length - 1;
  for (let x = 0, to = y * width; x < width; x++, to++) {
    const value = nuclear[Math.min(x, last)];
    const scaled = 1 - Math.max(0, Math.min(1, (value - low) / (high - low)));
    for (let c = 0; c < 3; c++) data[c * width * height + to] = scaled;
  }
}
