import { expandLabels } from "@stipple/numerics/distance-transform";
import { gaussianBlur } from "@stipple/numerics/gaussian-blur";
import { release } from "@stipple/numerics/release";
import type { NetworkOptions } from "./network-options.ts";
import type { NucleusMaps } from "../../nuclei/nucleus-network.ts";

/** Maximum reach of a pixel's vote, half-resolution px: no nucleus is thicker than twice this. */
export const MAX_OFFSET_PX = 16;

/** A vote farther than this from the nearest centroid, half-resolution px, is ignored. */
const MAX_MISS_PX = 8;

/** Two centroids are farther apart than this in x or y. Extra ones are harmless: parts of a nucleus can be merged. */
const PEAK_RADIUS_PX = 1;

/** Centroids of nuclei or parts of nuclei. */
export interface Seeds {
  /** 1 … count at the centroids, in row order; 0 elsewhere. */
  labels: Int32Array;
  count: number;
  /** Position of each seed by label. */
  x: Int32Array;
  y: Int32Array;
  /** Smoothed votes, and the width of that image. */
  votes: Float32Array;
  width: number;
}

/** Pixel that each pixel votes for as the centroid of its nucleus; −1 outside nuclei. */
export function votedCentroids(maps: NucleusMaps, minProbability: number): Int32Array {
  const centroids = new Int32Array(maps.width * maps.height).fill(-1);
  for (let y = 0; y < maps.height; y++) addVotes(centroids, maps, minProbability, y);
  return centroids;
}

function addVotes(
  centroids: Int32Array,
  { width, height, probability, offsetX, offsetY }: NucleusMaps,
  minProbability: number,
  y: number,
): void {
  for (let x = 0, p = y * width; x < width; x++, p++) {
    if (probability[p] <= minProbability) continue;
    const u = within(x + bounded(offsetX[p]), width);
    const v = within(y + bounded(offsetY[p]), height);
    centroids[p] = v * width + u;
  }
}

const bounded = (offset: number): number =>
  Math.round(Math.max(-MAX_OFFSET_PX, Math.min(MAX_OFFSET_PX, offset)));
const within = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));

/**
 * Finds nucleus centroids: every pixel votes for its own, weighted by its probability, and each maximum of the smoothed
 * votes is a centroid. O(pixels).
 */
export function voteSeeds(
  maps: NucleusMaps,
  centroids: Int32Array,
  minProbability: number,
  options: Pick<NetworkOptions, "voteSmoothingPx" | "minVotes">,
): Seeds {
  const { width, height, probability } = maps;
  const votes = new Float32Array(width * height);
  for (let p = 0; p < centroids.length; p++) {
    if (centroids[p] >= 0) votes[centroids[p]] += probability[p];
  }
  const smooth = gaussianBlur(votes, width, height, options.voteSmoothingPx);
  release(votes);
  // Peak height if all votes fall on one pixel.
  const least = options.minVotes / (2 * Math.PI * options.voteSmoothingPx ** 2);
  const labels = new Int32Array(width * height);
  const xs = [0];
  const ys = [0];
  for (let y = 0, p = 0; y < height; y++) {
    for (let x = 0; x < width; x++, p++) {
      if (smooth[p] <= least || probability[p] <= minProbability) continue;
      if (!isPeak(smooth, width, height, x, y)) continue;
      labels[p] = xs.length;
      xs.push(x);
      ys.push(y);
    }
  }
  return {
    labels,
    count: xs.length - 1,
    x: Int32Array.from(xs),
    y: Int32Array.from(ys),
    votes: smooth,
    width,
  };
}

/**
 * Assigns every pixel of the mask to the centroid nearest to its vote, or 0 if none is near. Unlike a flood fill, which
 * can spread far, this depends only on a pixel's surroundings. O(pixels).
 */
export function gatherVotes(
  maps: Pick<NucleusMaps, "width" | "height">,
  centroids: Int32Array,
  seeds: Int32Array,
): Int32Array {
  const nearest = expandLabels(seeds, maps.width, maps.height, MAX_MISS_PX);
  const gathered = centroids.map((q) => (q < 0 ? 0 : nearest[q]));
  release(nearest);
  return gathered;
}

/** Whether no neighbor is higher; ties go to the first pixel in row order. */
function isPeak(
  surface: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
): boolean {
  const p = y * width + x;
  const own = surface[p];
  const bottom = Math.min(height - 1, y + PEAK_RADIUS_PX);
  const right = Math.min(width - 1, x + PEAK_RADIUS_PX);
  for (let v = Math.max(0, y - PEAK_RADIUS_PX); v <= bottom; v++) {
    for (let u = Math.max(0, x - PEAK_RADIUS_PX); u <= right; u++) {
      const q = v * width + u;
      if (surface[q] > own || (surface[q] === own && q < p)) return false;
    }
  }
  return true;
}
