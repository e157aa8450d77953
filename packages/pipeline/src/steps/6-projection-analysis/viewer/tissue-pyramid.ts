import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import sharp, { type Sharp } from "sharp";
import { throwIfCancelled } from "../../../errors.ts";
import {
  packTiles,
  pyramidSizes,
  TILE_PX,
  type TileEncoding,
} from "@stipple/formats/tiff/tile-pyramid";
import { reducedSize, type TissueImage } from "../../../readers/images/tissue-image.ts";

/** Optimizing Huffman codes per tile would save 2% of the bytes and cost a third of the time. */
const JPEG = { quality: 85, optimiseCoding: false } as const;
/** As in DeepZoom: down to a single pixel, with edge tiles cropped to the image. */
const JPEG_TILES: TileEncoding = {
  smallestPx: 1,
  filledUp: false,
  encode: (pixels, width, height) =>
    sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg(JPEG)
      .toBuffer(),
};
/** Side of the blank pyramid for a sample without an image, px; positions alone need no detail. */
const BLANK_SIDE = 512;

/**
 * Writes a DeepZoom pyramid `tissue_files/{level}/{column}_{row}.jpeg` under `folder`. It is streamed, so
 * memory stays at a few rows of tiles. Without an image the tiles are blank. `extent`: size in full-resolution
 * px. O(pixels).
 */
export async function writeTissuePyramid(
  folder: string,
  image: TissueImage | null,
  extent: { widthPx: number; heightPx: number },
  signal: AbortSignal,
): Promise<ViewerManifest["tissue"]> {
  let size = image ?? { widthPx: 0, heightPx: 0 };
  if (image && (image.kind === "channels" || image.bitsPerSample > 8 || !image.place)) {
    await tileByRegions(join(folder, "tissue_files"), image, signal);
  } else {
    const source = image
      ? sharp(image.path, { limitInputPixels: false, ...image.place })
      : blank(extent);
    const { width, height } = await source
      .toColourspace("srgb")
      .flatten({ background: "#ffffff" })
      .jpeg(JPEG)
      .tile({ layout: "dz", size: TILE_PX, overlap: 0 })
      .toFile(join(folder, "tissue.dz"));
    size = { widthPx: width, heightPx: height };
    // The viewer manifest already contains the information in these two.
    await rm(join(folder, "tissue.dzi"), { force: true });
    await rm(join(folder, "tissue_files", "vips-properties.xml"), { force: true });
  }
  throwIfCancelled(signal);
  return {
    tileSize: TILE_PX,
    overlap: 0,
    format: "jpeg",
    widthPx: size.widthPx,
    heightPx: size.heightPx,
    scale: extent.widthPx / size.widthPx,
  };
}

/**
 * Tiles images that libvips cannot show directly (fluorescence channels, 16-bit, odd formats), using the reader's
 * color composite. Each row is read once, because in an image without tiles each read decodes all rows above.
 */
async function tileByRegions(
  folder: string,
  image: TissueImage,
  signal: AbortSignal,
): Promise<void> {
  const { widthPx, heightPx } = image;
  const levels = pyramidSizes(widthPx, heightPx, JPEG_TILES.smallestPx).length;
  for (let level = 0; level < levels; level++) {
    await mkdir(join(folder, String(level)), { recursive: true });
  }
  await packTiles(
    { widthPx, heightPx, bits: 8, samples: 3 },
    async (y, height) => (await image.getRegion({ x: 0, y, width: widthPx, height, signal })).data,
    async ({ level, column, row, bytes }) => {
      // DeepZoom numbers levels starting from the smallest.
      const path = join(folder, String(levels - 1 - level), `${column}_${row}.jpeg`);
      await writeFile(path, bytes);
    },
    signal,
    JPEG_TILES,
  );
}

function blank(size: { widthPx: number; heightPx: number }): Sharp {
  return sharp({
    create: { ...reducedSize(size, BLANK_SIDE), channels: 3, background: "#ffffff" },
  });
}
