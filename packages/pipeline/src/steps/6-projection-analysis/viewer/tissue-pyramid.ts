import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import sharp, { type Sharp } from "sharp";

const TILE_SIZE = 512;

/** Side of the blank pyramid of a sample without an image, px: positions alone need no detail. */
const BLANK_SIDE = 512;

/**
 * Writes `tissue_files/{level}/{column}_{row}.jpeg` below `folder` from the image at `path`, streaming: memory stays at
 * a few rows of tiles. Without an image the tiles are blank. `fullWidth`, `fullHeight`: extent in full-resolution px.
 */
export async function writeTissuePyramid(
  folder: string,
  path: string | null,
  extent: { widthPx: number; heightPx: number },
): Promise<ViewerManifest["tissue"]> {
  const source = path === null ? blank(extent) : sharp(path, { limitInputPixels: false });
  const { width, height } = await source
    .toColourspace("srgb")
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 85 })
    .tile({ layout: "dz", size: TILE_SIZE, overlap: 0 })
    .toFile(join(folder, "tissue.dz"));
  await rm(join(folder, "tissue_files", "vips-properties.xml"), { force: true });
  return {
    tileSize: TILE_SIZE,
    overlap: 0,
    format: "jpeg",
    widthPx: width,
    heightPx: height,
    scale: extent.widthPx / width,
  };
}

function blank({ widthPx, heightPx }: { widthPx: number; heightPx: number }): Sharp {
  const shrink = Math.max(1, Math.max(widthPx, heightPx) / BLANK_SIDE);
  return sharp({
    create: {
      width: Math.max(1, Math.round(widthPx / shrink)),
      height: Math.max(1, Math.round(heightPx / shrink)),
      channels: 3,
      background: "#ffffff",
    },
  });
}
