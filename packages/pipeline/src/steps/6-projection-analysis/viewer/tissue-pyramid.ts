import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerManifest } from "@stipple/contract";
import sharp, { type Sharp } from "sharp";
import { throwIfCancelled } from "../../../errors.ts";
import type { TissueImage } from "../../../readers/images/tissue-image.ts";

const TILE_SIZE = 512;
const JPEG = { quality: 85 } as const;
/** Side of the blank pyramid of a sample without an image, px: positions alone need no detail. */
const BLANK_SIDE = 512;

/**
 * Writes a DeepZoom pyramid `tissue_files/{level}/{column}_{row}.jpeg` below `folder`, streaming: memory stays at a few
 * rows of tiles. Without an image the tiles are blank. `extent`: size in full-resolution px. O(pixels).
 */
export async function writeTissuePyramid(
  folder: string,
  image: TissueImage | null,
  extent: { widthPx: number; heightPx: number },
  signal: AbortSignal,
): Promise<ViewerManifest["tissue"]> {
  let size = image ?? { widthPx: 0, heightPx: 0 };
  if (image && (image.kind === "channels" || image.bitsPerSample > 8)) {
    await tileByRegions(join(folder, "tissue_files"), image, signal);
  } else {
    const source = image ? sharp(image.path, { limitInputPixels: false }) : blank(extent);
    const { width, height } = await source
      .toColourspace("srgb")
      .flatten({ background: "#ffffff" })
      .jpeg(JPEG)
      .tile({ layout: "dz", size: TILE_SIZE, overlap: 0 })
      .toFile(join(folder, "tissue.dz"));
    size = { widthPx: width, heightPx: height };
    // The viewer is told by its manifest what these two would say.
    await rm(join(folder, "tissue.dzi"), { force: true });
    await rm(join(folder, "tissue_files", "vips-properties.xml"), { force: true });
  }
  throwIfCancelled(signal);
  return {
    tileSize: TILE_SIZE,
    overlap: 0,
    format: "jpeg",
    widthPx: size.widthPx,
    heightPx: size.heightPx,
    scale: extent.widthPx / size.widthPx,
  };
}

/**
 * The same for images that libvips cannot show as they are (fluorescence channels, 16 bit): tiles of the largest level
 * come from the reader's colour composite, those of every smaller level from four tiles of the level below.
 */
async function tileByRegions(
  folder: string,
  image: TissueImage,
  signal: AbortSignal,
): Promise<void> {
  let { widthPx: width, heightPx: height } = image;
  let level = Math.ceil(Math.log2(Math.max(width, height)));
  const tile = (at: number, column: number, row: number): string =>
    join(folder, String(at), `${column}_${row}.jpeg`);
  const sideOf = (index: number, whole: number): number =>
    Math.min(TILE_SIZE, whole - index * TILE_SIZE);
  await mkdir(join(folder, String(level)), { recursive: true });
  for (let row = 0; row * TILE_SIZE < height; row++) {
    throwIfCancelled(signal);
    const bandHeight = sideOf(row, height);
    // A whole band at once: from an image without tiles every read decodes all rows above.
    const band = await image.getRegion({
      x: 0,
      y: row * TILE_SIZE,
      width,
      height: bandHeight,
      signal,
    });
    for (let column = 0; column * TILE_SIZE < width; column++) {
      await sharp(band.data, { raw: { width, height: bandHeight, channels: 3 } })
        .extract({
          left: column * TILE_SIZE,
          top: 0,
          width: sideOf(column, width),
          height: bandHeight,
        })
        .jpeg(JPEG)
        .toFile(tile(level, column, row));
    }
  }
  for (; level > 0; level--) {
    const [lowerWidth, lowerHeight] = [width, height];
    width = Math.max(1, Math.ceil(width / 2));
    height = Math.max(1, Math.ceil(height / 2));
    await mkdir(join(folder, String(level - 1)), { recursive: true });
    for (let row = 0; row * TILE_SIZE < height; row++) {
      for (let column = 0; column * TILE_SIZE < width; column++) {
        throwIfCancelled(signal);
        const parts = [0, 1, 2, 3]
          .map((part) => ({ column: 2 * column + (part % 2), row: 2 * row + (part >> 1) }))
          .filter((p) => p.column * TILE_SIZE < lowerWidth && p.row * TILE_SIZE < lowerHeight);
        const joined = await sharp({
          create: {
            width: Math.min(2 * TILE_SIZE, lowerWidth - 2 * column * TILE_SIZE),
            height: Math.min(2 * TILE_SIZE, lowerHeight - 2 * row * TILE_SIZE),
            channels: 3,
            background: "#000000",
          },
        })
          .composite(
            parts.map((p) => ({
              input: tile(level, p.column, p.row),
              left: (p.column - 2 * column) * TILE_SIZE,
              top: (p.row - 2 * row) * TILE_SIZE,
            })),
          )
          .png({ compressionLevel: 0 })
          .toBuffer();
        await sharp(joined)
          .resize(sideOf(column, width), sideOf(row, height), { fit: "fill" })
          .jpeg(JPEG)
          .toFile(tile(level - 1, column, row));
      }
    }
  }
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
