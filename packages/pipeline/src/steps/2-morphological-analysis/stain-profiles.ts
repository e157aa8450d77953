import { inStretches } from "@stipple/numerics/in-stretches";
import type { LabeledPixels } from "./label-sums.ts";

export const HISTOGRAM_BINS = 32;
/** Stain in units of the slide's 99th percentile; the histogram ends at twice that. */
export const HISTOGRAM_TOP = 2;

/** Distance on each side of a nucleus's edge over which the drop in stain is measured, µm. */
const EDGE_UM = 1.5;

/** Distribution of the nuclear stain within each nucleus, by label. */
export interface StainProfiles {
  /** (count + 1) × HISTOGRAM_BINS pixels. */
  histogram: Uint32Array;
  /** Sum of the drops in stain across the nucleus's left and right edges, and the number measured. */
  fall: Float64Array;
  edge: Float64Array;
}

/** Profiles of nuclei 1 … count from their pixels. O(pixels). */
export function stainProfiles(
  plane: Float32Array,
  nuclei: Int32Array,
  pixels: LabeledPixels,
  count: number,
  { width, umPerPx }: { width: number; umPerPx: number },
): StainProfiles {
  const profiles = {
    histogram: new Uint32Array((count + 1) * HISTOGRAM_BINS),
    fall: new Float64Array(count + 1),
    edge: new Float64Array(count + 1),
  };
  const image = { plane, nuclei, width, edgePx: Math.max(1, Math.round(EDGE_UM / umPerPx)) };
  inStretches(pixels.at.length, (from, to) => addStretch(profiles, image, pixels, from, to));
  return profiles;
}

function addStretch(
  { histogram, fall, edge }: StainProfiles,
  image: { plane: Float32Array; nuclei: Int32Array; width: number; edgePx: number },
  { at, label }: LabeledPixels,
  from: number,
  to: number,
): void {
  const { plane, nuclei, width, edgePx } = image;
  for (let j = from; j < to; j++) {
    const p = at[j];
    const k = label[j];
    const bin = Math.floor((plane[p] / HISTOGRAM_TOP) * HISTOGRAM_BINS);
    histogram[k * HISTOGRAM_BINS + Math.min(HISTOGRAM_BINS - 1, Math.max(0, bin))]++;
    const x = p % width;
    const isAtEdge = nuclei[p + 1] !== k || nuclei[p - 1] !== k;
    if (x + edgePx < width && x >= edgePx && isAtEdge) {
      const out = nuclei[p + 1] === k ? -edgePx : edgePx;
      fall[k] += plane[p - out] - plane[p + out];
      edge[k]++;
    }
  }
}
