/**
 * What a file may ask of the machine that reads it, by its own size. The limits lie far above what instruments and Space
 * Ranger write and far below what stops a machine, so that a small file cannot demand much time or memory.
 */

const MIB = 2 ** 20;

/** Text packed by gzip: counts shrink to a fifth, barcodes in order to a twentieth. */
const TEXT_RATIO = 100;
const TEXT_FLOOR = 4 * MIB;

/** Bytes that a text file may unpack to. */
export function mostUnpackedText(packedBytes: number): number {
  return Math.max(TEXT_FLOOR, TEXT_RATIO * packedBytes);
}

/** Bytes of a line of text: barcodes, counts and positions need some dozens. */
export const LONGEST_LINE = MIB;

/** Lines of a list: a Visium HD slide has 11 million places. */
export const MOST_LINES = 20e6;

/** Bytes of a small JSON file: Space Ranger's scale factors are some hundred. */
export const LARGEST_JSON = MIB;

/** Bytes of one outline in a GeoJSON, and of what comes before the first. */
export const LARGEST_FEATURE = 4 * MIB;
/** Arrays and objects within each other in one outline: a multipolygon needs seven. */
export const DEEPEST_FEATURE = 32;

/** Bytes that the datasets of an HDF5 file or the pages of a Parquet file may unpack to. */
export function mostUnpackedTable(packedBytes: number): number {
  return Math.max(64 * MIB, 200 * packedBytes);
}

/** Bytes that a microscope image may unpack to: slides keep large empty parts in few bytes. */
export function mostUnpackedImage(packedBytes: number): number {
  return Math.max(256 * MIB, 1000 * packedBytes);
}

/** Bytes that a picture (PNG, JPEG) may unpack to. */
export function mostUnpackedPicture(packedBytes: number): number {
  return Math.max(256 * MIB, 200 * packedBytes);
}

/** Pixels of an image's side: at 0.25 µm, 25 cm. */
export const LONGEST_SIDE = 1_000_000;
