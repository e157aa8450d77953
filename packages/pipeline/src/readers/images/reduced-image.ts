import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { FigureParts } from "@stipple/contract/figure-parts";
import { partsIn } from "../../figures/figure-parts.ts";

/** High enough to keep small type in figures legible. */
const QUALITY = 88;

/**
 * Converts a figure (PNG, JPEG, or WebP) to WebP, at most `widthPx` wide; a narrower one keeps its size.
 * `parts` says where the figure shows what, if it knows. Memory: the file and the small picture, because rows are decoded one after the other. Rejects with sharp's
 * error for anything that is not an image.
 */
export async function reducedImage(
  source: Readable,
  widthPx: number,
): Promise<{ bytes: Uint8Array; parts: FigureParts | null }> {
  const image = sharp(await buffer(source), { sequentialRead: true, limitInputPixels: false });
  const { exif } = await image.metadata();
  const bytes = await image
    .resize({ width: widthPx, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { bytes, parts: partsIn(exif) };
}
