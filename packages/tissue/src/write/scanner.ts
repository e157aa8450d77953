import sharp from "sharp";
import type { Raster } from "../paint/raster.ts";

/** A multiple of the JPEG block size, so that strip boundaries do not show. */
const ROWS = 1024;

/**
 * Compresses and decompresses an RGB image as JPEG in place, as a scanner would. About 0.05 s on one core per
 * megapixel.
 */
export async function storeAsJpeg(raster: Raster, quality: number): Promise<void> {
  const { width, height, preview } = raster;
  for (let top = 0; top < height; top += ROWS) {
    const rows = Math.min(ROWS, height - top);
    const part = preview.subarray(3 * width * top, 3 * width * (top + rows));
    const jpeg = await sharp(part, { raw: { width, height: rows, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    part.set(await sharp(jpeg).raw().toBuffer());
  }
}
