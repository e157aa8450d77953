import type { Platform } from "@stipple/contract";
import type { AlignmentScale } from "../../facts.ts";
import type { Positions } from "../sample.ts";
import {
  fitLattice,
  nearestNeighborPitch,
  outlierWarnings,
  pitchOf,
  type Spots,
} from "./fit-lattice.ts";
import { requireNoStrays } from "./stray-spots.ts";

/** An array of spots with a known pitch. */
export interface SpotArray extends Pick<Platform, "lattice" | "spotShape"> {
  array: NonNullable<Platform["array"]>;
}

/**
 * µm per full-resolution pixel from the known pitch of a spot array: from the fitted lattice, else from the
 * longest distance for a few spots in a line, else from the nearest-neighbor distance. Null for fewer than two
 * distinct positions. Throws {@link InputError} for a few spots off an array that all others fit. `file`: source of the positions, for warnings.
 */
export function spotArrayScale(
  spots: Spots & Partial<Pick<Positions, "barcode">>,
  platform: SpotArray,
  file: string,
): AlignmentScale | null {
  const { array, lattice, spotShape } = platform;
  const shared = { ...array, spotShape };
  const fit = fitLattice(spots);
  const pitch = pitchOf(fit, lattice);
  if (fit && pitch !== null) {
    requireNoStrays(fit, pitch, spots, file);
    return {
      ...shared,
      micronsPerPixel: array.pitchUm / pitch,
      source: "array_pitch",
      residualPx: fit.residualPx,
      warnings: outlierWarnings(fit, file),
    };
  }
  const spanned = fit ? null : spanScale(spots, platform);
  if (spanned !== null) {
    return {
      ...shared,
      micronsPerPixel: spanned,
      source: "array_pitch",
      residualPx: null,
      warnings: [
        `${file} has too few spots to check the array; the scale was taken from the distance between them.`,
      ],
    };
  }
  const nearest = nearestNeighborPitch(spots.x, spots.y);
  if (nearest === null) return null;
  return {
    ...shared,
    micronsPerPixel: array.pitchUm / nearest,
    source: "nearest_neighbor",
    residualPx: null,
    warnings: [
      `The array indices in ${file} do not match the positions; the scale was taken from the distance between neighboring spots (${nearest.toFixed(1)} px = ${array.pitchUm} µm).`,
    ],
  };
}

/** Distance between adjacent array rows, and between adjacent array columns, in pitches. */
const STEPS = {
  hexagonal: { row: Math.sqrt(3) / 2, col: 1 / 2 },
  square: { row: 1, col: 1 },
} as const;

/**
 * µm per pixel from the longest distance between two spots, in px and on the array; for spots in a line, which
 * do not define a lattice. Null if that distance is zero. O(spots).
 */
function spanScale(
  { arrayRow, arrayCol, x, y }: Spots,
  { lattice, array }: SpotArray,
): number | null {
  if (x.length > 1000) return null;
  const step = STEPS[lattice];
  let [farthest, um] = [0, 0];
  for (let i = 1; i < x.length; i++) {
    const px = Math.hypot(x[i] - x[0], y[i] - y[0]);
    if (px <= farthest) continue;
    farthest = px;
    um =
      array.pitchUm *
      Math.hypot((arrayRow[i] - arrayRow[0]) * step.row, (arrayCol[i] - arrayCol[0]) * step.col);
  }
  return farthest > 0 && um > 0 ? um / farthest : null;
}
