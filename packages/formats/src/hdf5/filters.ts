import type { Dataset } from "./library.ts";

/** Deflate, shuffle, Fletcher32, Szip, N-bit, scale and offset: part of HDF5 as h5wasm builds it. */
const LAST_BUILT_IN = 6;
/** Registered filters by their numbers, under the names that people know: those that HDF5 plugins and h5py write. */
const NAMES: Record<number, string> = {
  305: "LZO",
  307: "bzip2",
  32_000: "LZF",
  32_001: "Blosc",
  32_003: "Snappy",
  32_004: "LZ4",
  32_008: "bitshuffle",
  32_013: "ZFP",
  32_015: "Zstandard",
  32_017: "SZ",
  32_019: "JPEG",
  32_024: "SZ3",
  32_026: "Blosc2",
};

/** The compression of a dataset that HDF5 cannot undo here, such as "LZF"; null if it can be read. */
export function unknownCompression({ filters }: Dataset): string | null {
  const unknown = filters.find(({ id }) => id < 1 || id > LAST_BUILT_IN);
  return unknown ? (NAMES[unknown.id] ?? `HDF5 filter ${unknown.id}`) : null;
}
