import { mostUnpackedImage } from "../limits.ts";
import type { TiffDirectory } from "./directories.ts";
import { readPlaces, readShape } from "./layout.ts";
import { refuse } from "./refuse.ts";

/** Lists this short are stored in the tag itself. */
const INLINE_BYTES = 8;
/**
 * Rejects images whose tiles or strips extend past the end of the file (libvips would fill them with black),
 * whose tile lists overlap, or that decompress to far more than real images.
 */
export async function requireBlocks(images: readonly TiffDirectory[], size: number): Promise<void> {
  let [unpacked, listed] = [0, 0];
  for (const image of images) {
    const shape = await readShape(image);
    unpacked += shape.unpackedBytes;
    listed += image.bytes(shape.tiled ? "TileOffsets" : "StripOffsets");
    if (unpacked > mostUnpackedImage(size)) {
      refuse(
        `would decompress from ${size} to ${unpacked} bytes, far more than a real image. Export or copy it again`,
      );
    }
    const { offsets, lengths } = await readPlaces(image, shape);
    if (listed > size + INLINE_BYTES * images.length) {
      refuse("is damaged: its lists of tiles or strips overlap. Export or copy it again");
    }
    let end = 0;
    for (let i = 0; i < offsets.length; i++) end = Math.max(end, offsets[i] + (lengths[i] ?? 1));
    if (end > size) {
      refuse(
        `is incomplete: it ends after ${size} bytes, but its image data extend to byte ${end}. Copy or upload it again`,
      );
    }
  }
}
