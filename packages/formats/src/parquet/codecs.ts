import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { compressors as ofLibrary } from "hyparquet-compressors";

type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

/** Decompressors that never unpack a page to more than it announces. */
export const CODECS: Record<string, Unpack | undefined> = {
  ...ofLibrary,
  GZIP: (packed, length) => gunzipSync(packed, bounded(length)),
  BROTLI: (packed, length) => brotliDecompressSync(packed, bounded(length)),
  ZSTD: (packed, length) => zstdDecompressSync(packed, bounded(length)),
};

function bounded(length: number): { maxOutputLength: number } {
  return { maxOutputLength: Math.max(1, length) };
}
