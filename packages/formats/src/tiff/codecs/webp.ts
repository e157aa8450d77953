import sharp from "sharp";
import type { BlockSize } from "./block.ts";

export function unpackWebp(packed: Uint8Array, { pixels }: BlockSize): Promise<Uint8Array> {
  return sharp(packed, { limitInputPixels: pixels }).raw().toBuffer();
}
