import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";

/** Good enough that small type in figures stays legible. */
const QUALITY = 88;

/**
 * A figure (PNG, JPEG or WebP) as WebP, at most `widthPx` wide; a narrower one keeps its size. Memory: the file and the
 * small picture, as rows are decoded one after the other. Rejects with sharp's error for what is no image.
 */
export async function reducedImage(source: Readable, widthPx: number): Promise<Uint8Array> {
  return sharp(await buffer(source), { sequentialRead: true, limitInputPixels: false })
    .resize({ width: widthPx, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
}
