import type { Ground } from "../../../../components/use-ground.ts";
import { VIRIDIS } from "@stipple/viewer/cells";

/**
 * Endpoints, midpoint, and steps of ColorBrewer's PuOr (Brewer 2013), purple (low) to orange (high): colorblind-safe.
 */
const PURPLE_TO_ORANGE = [
  [45, 0, 75],
  [84, 39, 136],
  [128, 115, 172],
  [178, 171, 210],
  [216, 218, 235],
  [247, 247, 247],
  [254, 224, 182],
  [253, 184, 99],
  [224, 130, 20],
  [179, 88, 6],
  [127, 59, 8],
] as const;

/** The dark-mode counterpart, lavender through the dark background to orange: values near the middle fade here too. */
const LAVENDER_TO_ORANGE = [
  [214, 200, 255],
  [174, 156, 240],
  [130, 112, 205],
  [88, 78, 150],
  [56, 56, 98],
  [35, 45, 58],
  [84, 62, 40],
  [134, 88, 32],
  [186, 118, 28],
  [230, 154, 56],
  [255, 202, 130],
] as const;

/** Color at a position on a scale, 0–1; positions outside are clamped. */
export type ColorScale = (share: number, ground: Ground) => string;

/** From low to high; dark violet to yellow. */
export function sequential(share: number): string {
  const shade = 3 * Math.round(255 * clamped(share));
  return `rgb(${VIRIDIS[shade]}, ${VIRIDIS[shade + 1]}, ${VIRIDIS[shade + 2]})`;
}

/** From below (0) through the midpoint (0.5) to above (1). */
export function diverging(share: number, ground: Ground): string {
  const steps = ground === "light" ? PURPLE_TO_ORANGE : LAVENDER_TO_ORANGE;
  const at = clamped(share) * (steps.length - 1);
  const low = Math.min(steps.length - 2, Math.floor(at));
  const [from, to] = [steps[low]!, steps[low + 1]!];
  const parts = from.map((part, k) => Math.round(part + (to[k]! - part) * (at - low)));
  return `rgb(${parts.join(", ")})`;
}

/** Black or white, whichever stands out more from a color given as "rgb(r, g, b)". */
export function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140 ? "#0f1b2a" : "#ffffff";
}

function clamped(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** A color scale's range, and how to look up a value's color. */
export interface ValueColors {
  low: number;
  high: number;
  scale: ColorScale;
  /** Diverging, with its midpoint at 0. */
  twoSided: boolean;
  /** "none" for missing values. */
  of: (value: number, ground: Ground) => string;
}

/** Viridis from 0 to `high`. */
export function sequentialColors(high: number): ValueColors {
  const span = high > 0 ? high : 1;
  return {
    low: 0,
    high,
    scale: sequential,
    twoSided: false,
    of: (value) => (Number.isFinite(value) ? sequential(value / span) : "none"),
  };
}

/** Purple below 0, close to the background at 0, orange above; symmetric around 0. */
export function divergingColors(farthest: number): ValueColors {
  const reach = farthest > 0 ? farthest : 1;
  return {
    low: -reach,
    high: reach,
    scale: diverging,
    twoSided: true,
    of: (value, ground) =>
      Number.isFinite(value) ? diverging(0.5 + value / (2 * reach), ground) : "none",
  };
}
