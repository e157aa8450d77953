import type { ViewerColumn, ViewerManifest } from "@stipple/contract/viewer-manifest";

export type ColumnArray = Float32Array | Uint32Array | Uint16Array | Uint8Array;
export type ColumnDescription = NonNullable<ViewerManifest["columns"][ViewerColumn]>;

const ARRAYS = {
  float32: Float32Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
} as const;

/**
 * Decodes a column's bytes (little-endian, like every browser platform). Throws if the length differs from the
 * manifest's.
 */
export function decodeColumn(
  bytes: ArrayBuffer,
  { file, dtype, length }: ColumnDescription,
): ColumnArray {
  const array = new ARRAYS[dtype](
    bytes,
    0,
    Math.floor(bytes.byteLength / ARRAYS[dtype].BYTES_PER_ELEMENT),
  );
  if (array.length !== length)
    throw new Error(`The file ${file} has ${array.length} values instead of ${length}.`);
  return array;
}
