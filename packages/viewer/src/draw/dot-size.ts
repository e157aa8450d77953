import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { ViewName } from "../choices.ts";

const POINT_RADIUS_UM = 4;
/** Above this radius, dots are drawn as quads: graphics cards limit point size. */
export const LARGE_FROM_PX = 16;

/** Size of the cells' points: to scale on the tissue, but never too small to see. */
export interface PointSize {
  /** Drawing units. */
  radius: number;
  radiusMinPx: number;
  radiusMaxPx: number;
}

export function pointSize(manifest: ViewerManifest, view: ViewName, factor: number): PointSize {
  const many = manifest.nCells > 100_000;
  const units = view === "tissue" ? unitsOf(POINT_RADIUS_UM, manifest) : many ? 1 : 2;
  return {
    radius: units * factor,
    radiusMinPx: many ? 0.7 : 1.5,
    radiusMaxPx: view === "tissue" ? 60 : 8,
  };
}

/** Half the width of a spot or bin in drawing units. */
export function spotRadius({ binSidePx, spotRadiusPx, tissue }: ViewerManifest): number {
  return (binSidePx === null ? spotRadiusPx : binSidePx / 2) / tissue.scale;
}

/** Converts micrometers to drawing units (pixels of the largest image level). */
export function unitsOf(um: number, { micronsPerPixel, tissue }: ViewerManifest): number {
  return um / (micronsPerPixel * tissue.scale);
}
