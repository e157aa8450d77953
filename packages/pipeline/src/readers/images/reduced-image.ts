import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { FigureParts } from "@stipple/contract/figure-parts";
import { partsIn } from "../../figures/figure-parts.ts";
import { reducedSize, wholeImage, type TissueImage } from "./tissue-image.ts";

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

/** A whole tissue image as WebP, its longer side at most `longSidePx`. */
export async function reducedTissue(
  image: TissueImage,
  longSidePx: number,
  quality: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { width, height } = reducedSize(image, longSidePx);
  const { data } = await image.getRegion(wholeImage(image, width, height, signal));
  return webp(data, width, height, quality);
}

/** RGB8 pixels as WebP. */
export function webp(
  data: Uint8Array,
  width: number,
  height: number,
  quality: number,
): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ quality })
    .toBuffer();
}

/** A picture as answers hold it. */
export function base64Of(picture: Uint8Array): string {
  return Buffer.from(picture).toString("base64");
}
