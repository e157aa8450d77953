import sharp from "sharp";
import { Random } from "@stipple/numerics/random";

/** Side of the repeated tissue square, px. */
const BLOCK_PX = 2048;
const NUCLEUS_SPACING_PX = 30;
const NUCLEUS_RADIUS_PX = 11;
/** Every pixel is redder than it is green or blue, unlike any cell type color here. */
const STROMA = [226, 178, 204] as const;
const NUCLEUS = [138, 92, 132] as const;

/**
 * Writes a tiled JPEG-compressed TIFF of `sidePx` × `sidePx` that looks like stained tissue from a distance: one square
 * of nuclei on stroma, repeated. Streams; uses memory for a few rows of tiles. O(pixels).
 */
export async function writeSyntheticImage(path: string, sidePx: number): Promise<void> {
  const block = await sharp(paintBlock(), {
    raw: { width: BLOCK_PX, height: BLOCK_PX, channels: 3 },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  await sharp({
    create: { width: sidePx, height: sidePx, channels: 3, background: "#ffffff" },
    limitInputPixels: false,
  })
    .composite([{ input: block, tile: true }])
    .tiff({ compression: "jpeg", quality: 85, tile: true, tileWidth: 512, tileHeight: 512 })
    .toFile(path);
}

function paintBlock(): Uint8Array {
  const random = new Random(11);
  const pixels = new Uint8Array(3 * BLOCK_PX * BLOCK_PX);
  const put = (at: number, color: readonly number[], grain: number): void => {
    for (let part = 0; part < 3; part++) pixels[at + part] = color[part] - grain;
  };
  for (let at = 0; at < pixels.length; at += 3) put(at, STROMA, random.below(28));
  for (let y = 0; y < BLOCK_PX; y += NUCLEUS_SPACING_PX) {
    for (let x = 0; x < BLOCK_PX; x += NUCLEUS_SPACING_PX) {
      const [centerX, centerY] = [x + random.below(12), y + random.below(12)];
      for (let dy = -NUCLEUS_RADIUS_PX; dy <= NUCLEUS_RADIUS_PX; dy++) {
        const half = Math.floor(Math.sqrt(NUCLEUS_RADIUS_PX ** 2 - dy ** 2));
        for (let dx = -half; dx <= half; dx++) {
          const [px, py] = [centerX + dx, centerY + dy];
          if (px < 0 || py < 0 || px >= BLOCK_PX || py >= BLOCK_PX) continue;
          put(3 * (py * BLOCK_PX + px), NUCLEUS, random.below(28));
        }
      }
    }
  }
  return pixels;
}
