import { constants, zstdCompressSync } from "node:zlib";

const OPTIONS = {
  params: { [constants.ZSTD_c_compressionLevel]: 1 },
  // By default, Node would assemble the result from pieces of 16 kB.
  chunkSize: 1 << 20,
};

/** Zstandard, level 1. */
export function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, OPTIONS);
}
