import { squaredDistance } from "../../numerics/distance-transform.ts";
import { fillHoles } from "../../numerics/fill-holes.ts";
import { gaussianBlur } from "../../numerics/gaussian-blur.ts";
import { watershedTree, type WatershedTree } from "../../numerics/watershed-tree.ts";
import { hillShapes, type HillShapes } from "./hill-shapes.ts";
import { localContrast, type SignalRange } from "./local-contrast.ts";
import type { NucleusOptions } from "./nucleus-options.ts";

export interface Hills {
  tree: WatershedTree;
  shapes: HillShapes;
}

export interface Candidates {
  contrast: Float32Array;
  /** One forest of candidates per threshold, in the order of `contrastThresholds`. */
  forests: Hills[];
}

/** Distances are capped at this, px: anything thicker is several nuclei anyway. */
const MAX_DISTANCE_PX = 30;

/**
 * Finds candidate nuclei in the nuclear signal of a tile: local contrast and, for each threshold, the watershed tree of
 * distance to border blended with contrast. A pale nucleus needs a low threshold, one in purple cytoplasm a high one.
 * Lengths in px of 0.5 µm. O(pixels · thresholds).
 */
export function findCandidates(
  signal: Float32Array,
  width: number,
  height: number,
  range: SignalRange,
  options: NucleusOptions,
  umPerPx: number,
): Candidates {
  const smooth = gaussianBlur(signal, width, height, options.smoothingPx);
  const contrast = localContrast(smooth, width, height, range, {
    radiusPx: options.contrastRadiusPx,
    prior: 0.05,
    minSpan: options.minSpan,
    rounds: 2,
  });
  const maxArea = options.maxAreaUm2 / umPerPx ** 2;
  return {
    contrast,
    forests: options.contrastThresholds.map((threshold) =>
      findHills(contrast, width, height, threshold, options, maxArea),
    ),
  };
}

function findHills(
  contrast: Float32Array,
  width: number,
  height: number,
  threshold: number,
  options: NucleusOptions,
  maxArea: number,
): Hills {
  const mask = new Uint8Array(contrast.length);
  for (let i = 0; i < mask.length; i++) mask[i] = contrast[i] > threshold ? 1 : 0;
  fillHoles(mask, width, options.maxHolePx);
  const distance = squaredDistance(mask, width, height);
  for (let i = 0; i < distance.length; i++) {
    distance[i] = Math.min(MAX_DISTANCE_PX, Math.sqrt(distance[i]));
  }
  const heights = gaussianBlur(distance, width, height, 1);
  for (let i = 0; i < heights.length; i++) {
    // A radius of 8 px (4 µm, a typical nucleus) weighs as much as twice the contrast between nuclei and background.
    heights[i] = heights[i] / 8 + 0.5 * Math.min(1.5, Math.max(0, contrast[i]));
  }
  const tree = watershedTree(heights, mask, width, height, { minDepth: options.minDepth, maxArea });
  return { tree, shapes: hillShapes(tree, contrast, distance, width, height) };
}
