import type { BlockSize } from "./block.ts";
import { unpackDeflate } from "./deflate.ts";
import { unpackLzw } from "./lzw.ts";
import { unpackPackBits } from "./pack-bits.ts";
import { unpackWebp } from "./webp.ts";
import { unpackZstandard } from "./zstandard.ts";

/**
 * Unpacks a block to its pixels, never to more than those plus a little. Throws an Error for a block that unpacks to
 * much more. O(size).
 */
type Codec = (packed: Uint8Array, block: BlockSize) => Uint8Array | Promise<Uint8Array>;

/** What unpacks blocks here, by the number in the tag Compression; libvips unpacks JPEG. */
export const CODECS: ReadonlyMap<number, Codec> = new Map<number, Codec>([
  [1, (packed) => packed],
  [5, unpackLzw],
  [8, unpackDeflate],
  [32_946, unpackDeflate],
  [32_773, unpackPackBits],
  [50_000, unpackZstandard],
  [50_001, unpackWebp],
]);
