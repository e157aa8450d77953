import type { Ground } from "../../../../components/use-ground.ts";
import { parseColor, VIRIDIS } from "@stipple/viewer/cells";

/**
 * Endpoints, midpoint, and steps of ColorBrewer's PuOr (Brewer 2013), purple (low) to orange (high): colorblind-safe.
 */
const PURPLE_TO_ORANGE = colors(
  "#2d004b #542788 #8073ac #b2abd2 #d8daeb #f7f7f7 #fee0b6 #fdb863 #e08214 #b35806 #7f3b08",
);

/** The dark-mode counterpart, lavender through the dark background to orange: values near the middle fade here too. */
const LAVENDER_TO_ORANGE = colors(
  "#d6c8ff #ae9cf0 #8270cd #584e96 #383862 #232d3a #543e28 #865820 #ba761c #e69a38 #ffca82",
);

function colors(written: string) {
  return written.split(" ").map(parseColor);
}

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
