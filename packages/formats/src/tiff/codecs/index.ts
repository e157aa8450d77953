import { promisify } from "node:util";
import { inflate, zstdDecompress } from "node:zlib";
import sharp from "sharp";
import { unpackLzw } from "./lzw.ts";
import { unpackPackBits } from "./pack-bits.ts";

/** What a block unpacks to. */
interface BlockSize {
  /** Bytes of its pixels. */
  size: number;
  pixels: number;
}

/**
 * Unpacks a block to its pixels, never to more than those plus a little. Throws an Error for a block that unpacks to
 * much more. O(size).
 */
type Codec = (packed: Uint8Array, block: BlockSize) => Uint8Array | Promise<Uint8Array>;

/** Some writers add a few bytes after a block's pixels. */
const SLACK_BYTES = 65_536;

/** Limits zlib: a block that unpacks to much more is damaged. */
function limitOf({ size }: BlockSize): { maxOutputLength: number } {
  return { maxOutputLength: size + SLACK_BYTES };
}

const inflated = promisify(inflate);
const zstdDecompressed = promisify(zstdDecompress);
const unpackDeflate: Codec = (packed, block) => inflated(packed, limitOf(block));

/** WebP leaves out the opacity of a block that is opaque everywhere. */
const unpackWebp: Codec = (packed, { size, pixels }) => {
  const block = sharp(packed, { limitInputPixels: pixels });
  return (size === 4 * pixels ? block.ensureAlpha() : block.removeAlpha()).raw().toBuffer();
};

/** What unpacks blocks here, by the number in the tag Compression; libvips unpacks JPEG. */
export const CODECS: ReadonlyMap<number, Codec> = new Map<number, Codec>([
  [1, (packed) => packed],
  [5, unpackLzw],
  [8, unpackDeflate],
  [32_946, unpackDeflate],
  [32_773, unpackPackBits],
  [50_000, (packed, block) => zstdDecompressed(packed, limitOf(block))],
  [50_001, unpackWebp],
]);
