import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { tissueIn, type TissueBox } from "../../figures/tissue-box.ts";

/** High enough to keep small type in figures legible. */
const QUALITY = 88;

/**
 * Converts a figure (PNG, JPEG, or WebP) to WebP, at most `widthPx` wide; a narrower one keeps its size.
 * `tissue` is the part that shows the tissue, if the figure says so. Memory: the file and the small picture, because rows are decoded one after the other. Rejects with sharp's
 * error for anything that is not an image.
 */
export async function reducedImage(
  source: Readable,
  widthPx: number,
): Promise<{ bytes: Uint8Array; tissue: TissueBox | null }> {
  const image = sharp(await buffer(source), { sequentialRead: true, limitInputPixels: false });
  const { exif } = await image.metadata();
  const bytes = await image
    .resize({ width: widthPx, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { bytes, tissue: tissueIn(exif) };
}
