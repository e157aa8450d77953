/**
 * Limits on what a file may demand of the machine that reads it, relative to its own size. They are far above
 * what instruments and Space Ranger write and far below what overloads a machine, so a small file cannot demand
 * much time or memory.
 */

const MIB = 2 ** 20;

/** gzip ratio of text: counts shrink to a fifth, sorted barcodes to a twentieth. */
const TEXT_RATIO = 100;
const TEXT_FLOOR = 4 * MIB;

/** Maximum bytes that a text file may unpack to. */
export function maxUnpackedText(packedBytes: number): number {
  return Math.max(TEXT_FLOOR, TEXT_RATIO * packedBytes);
}

/** Maximum bytes per line of text: barcodes, counts, and positions need a few dozen. */
export const LONGEST_LINE = MIB;

/** Maximum lines in a list: a Visium HD slide has 11 million bins. */
export const MAX_LINES = 20e6;

/** Maximum bytes of a small JSON file: Space Ranger's scale factors take a few hundred. */
export const LARGEST_JSON = MIB;

/** Maximum bytes of one outline in a GeoJSON, and of the text before the first one. */
export const LARGEST_FEATURE = 4 * MIB;
/** Maximum nesting of arrays and objects in one outline: a multipolygon needs seven levels. */
export const DEEPEST_FEATURE = 32;

/** Maximum bytes of a GeoJSON with regions: a thousand points take 40 kB. */
export const LARGEST_REGIONS = 64 * MIB;
/** Maximum bytes of a file of annotations: a project keeps at most 64 MB of them. */
export const LARGEST_ANNOTATIONS = 80 * MIB;
/** Maximum bytes of an alignment: Loupe Browser writes some 200 bytes per spot of the array. */
export const LARGEST_ALIGNMENT = 16 * MIB;

/** Maximum bytes that the datasets of an HDF5 file or the pages of a Parquet file may unpack to. */
export function maxUnpackedTable(packedBytes: number): number {
  return Math.max(64 * MIB, 200 * packedBytes);
}

/** Maximum bytes that a microscope image may unpack to: slides compress large empty areas to a few bytes. */
export function maxUnpackedImage(packedBytes: number): number {
  return Math.max(256 * MIB, 1000 * packedBytes);
}

/** Maximum bytes that a picture (PNG, JPEG) may unpack to. */
export function maxUnpackedPicture(packedBytes: number): number {
  return Math.max(256 * MIB, 200 * packedBytes);
}

/** Maximum image side in pixels: 25 cm at 0.25 µm. */
export const LONGEST_SIDE = 1_000_000;
