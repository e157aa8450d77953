import type { ViewerManifest } from "@stipple/contract/viewer-manifest";

export type TissueImage = ViewerManifest["tissue"];

/** Index of the largest level of a DeepZoom pyramid: level 0 is a single pixel, each further level twice as large. */
export function largestLevel({
  widthPx,
  heightPx,
}: Pick<TissueImage, "widthPx" | "heightPx">): number {
  return Math.ceil(Math.log2(Math.max(1, widthPx, heightPx)));
}

/** A tile of the pyramid: its file and its position in pixels of the largest level (y down). */
export interface TissueTile {
  path: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The tile in column `x` and row `y` at `zoom` (0 = largest level, −1 = half its size, …), including the border of
 * `overlap` pixels shared with its neighbors; undefined outside the image.
 */
export function tissueTile(
  image: TissueImage,
  x: number,
  y: number,
  zoom: number,
): TissueTile | undefined {
  const level = largestLevel(image) + zoom;
  if (level < 0 || zoom > 0 || x < 0 || y < 0) return undefined;
  const pixel = 2 ** -zoom;
  const levelWidth = Math.ceil(image.widthPx / pixel);
  const levelHeight = Math.ceil(image.heightPx / pixel);
  const { tileSize, overlap } = image;
  if (x * tileSize >= levelWidth || y * tileSize >= levelHeight) return undefined;
  return {
    path: `tissue_files/${level}/${x}_${y}.${image.format}`,
    left: Math.max(0, x * tileSize - overlap) * pixel,
    top: Math.max(0, y * tileSize - overlap) * pixel,
    right: Math.min(levelWidth, (x + 1) * tileSize + overlap) * pixel,
    bottom: Math.min(levelHeight, (y + 1) * tileSize + overlap) * pixel,
  };
}
