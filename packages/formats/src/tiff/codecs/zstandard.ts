import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { limitOf, type BlockSize } from "./block.ts";

const decompressed = promisify(zstdDecompress);

export function unpackZstandard(packed: Uint8Array, block: BlockSize): Promise<Uint8Array> {
  return decompressed(packed, limitOf(block));
}
