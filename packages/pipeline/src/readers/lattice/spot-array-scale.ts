import type { Platform } from "@stipple/contract";
import type { AlignmentScale } from "../../facts.ts";
import {
  fitLattice,
  nearestNeighbourPitch,
  outlierWarnings,
  pitchOf,
  type Spots,
} from "./fit-lattice.ts";

/** An array of spots whose distance is known. */
export interface SpotArray extends Pick<Platform, "lattice" | "spotShape"> {
  array: NonNullable<Platform["array"]>;
}

/**
 * µm per full-resolution pixel from the known pitch of an array of spots: by the fitted lattice, else by the longest
 * distance of a few spots in a line, else by the distance of nearest neighbors. Null for fewer than two different
 * positions. `file`: where the positions come from, for warnings.
 */
export function spotArrayScale(
  spots: Spots,
  platform: SpotArray,
  file: string,
): AlignmentScale | null {
  const { array, lattice, spotShape } = platform;
  const shared = { ...array, spotShape };
  const fit = fitLattice(spots);
  const pitch = pitchOf(fit, lattice);
  if (fit && pitch !== null) {
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
  const nearest = nearestNeighbourPitch(spots.x, spots.y);
  if (nearest === null) return null;
  return {
    ...shared,
    micronsPerPixel: array.pitchUm / nearest,
    source: "nearest_neighbour",
    residualPx: null,
    warnings: [
      `The array indices in ${file} do not match the positions; the scale was taken from the distance between neighboring spots (${nearest.toFixed(1)} px = ${array.pitchUm} µm).`,
    ],
  };
}

/** Distance from one array row, and from one array column, to the next, in pitches. */
const STEPS = {
  hexagonal: { row: Math.sqrt(3) / 2, col: 1 / 2 },
  square: { row: 1, col: 1 },
} as const;

/**
 * µm per pixel from the longest distance between two spots, px, and between their places on the array; for spots in a
 * line, which give no lattice. Null when that is no distance. O(spots).
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
