import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { limitOf, type BlockSize } from "./block.ts";

const inflated = promisify(inflate);

export function unpackDeflate(packed: Uint8Array, block: BlockSize): Promise<Uint8Array> {
  return inflated(packed, limitOf(block));
}
