import { LONGEST_SIDE, maxUnpackedImage } from "../limits.ts";
import { refuse, type TiffDirectory } from "./directories.ts";
import type { SampleLayout } from "./unpack-samples.ts";

/** Number of rows in which uncompressed strips are read, however many they have. */
const RAW_ROWS = 64;
/** Maximum interleaved channels per pixel; more than any microscope has. */
const MAX_SAMPLES = 512;
const MAX_BITS = 64;
/** Maximum bytes of an unpacked tile: 8192 × 8192 pixels in color. */
const LARGEST_TILE = 2 ** 28;
const MAX_BLOCKS = 50e6;
const AGAIN = "Export or copy it again";
export const JPEG = 7;

/** Size of an image and how it is split into blocks (tiles or strips), all within the reader's limits. */
export interface TiffShape {
  widthPx: number;
  heightPx: number;
  samples: number;
  /** Bits of the first sample. */
  bits: number;
  compression: number;
  /** Each sample has its own plane. */
  planar: boolean;
  tiled: boolean;
  blockWidth: number;
  blockHeight: number;
  /** Number of blocks in all planes. */
  blocks: number;
  /** Total bytes of all numbers when unpacked. */
  unpackedBytes: number;
}

/** The blocks of one image in a TIFF file. */
export interface BlockLayout
  extends
    SampleLayout,
    Pick<
      TiffShape,
      "widthPx" | "heightPx" | "tiled" | "blockWidth" | "blockHeight" | "compression"
    > {
  /** Number of samples interleaved in a block. */
  interleaved: number;
  /** Number of blocks per sample if each sample has its own plane; 0 if they are interleaved. */
  planeBlocks: number;
  offsets: number[];
  lengths: number[];
}

/** Reads the shape of an image from its tags. Throws {@link TiffFault} if it is impossible. O(1). */
export async function readShape(directory: TiffDirectory): Promise<TiffShape> {
  const widthPx = await directory.one("ImageWidth", 0);
  const heightPx = await directory.one("ImageLength", 0);
  if (!(widthPx > 0 && heightPx > 0)) {
    refuse("is incomplete or damaged: its first image has no size. Copy or upload it again");
  }
  const samples = await directory.one("SamplesPerPixel", 1);
  const [bits = 1] = await directory.numbers("BitsPerSample", 1);
  if (!(samples >= 1 && samples <= MAX_SAMPLES)) {
    refuse(
      `has ${samples} samples per pixel; at most ${MAX_SAMPLES} can be read. Save each channel as a page (OME-TIFF) and try again`,
    );
  }
  if (!(bits >= 1 && bits <= MAX_BITS)) {
    refuse(`is damaged: its samples have ${bits} bits. ${AGAIN}`);
  }
  if (Math.max(widthPx, heightPx) > LONGEST_SIDE) {
    refuse(
      `is ${widthPx} × ${heightPx} px according to its tags; at most ${LONGEST_SIDE} px per side can be read. ${AGAIN}`,
    );
  }
  const compression = await directory.one("Compression", 1);
  const planar = (await directory.one("PlanarConfiguration", 1)) === 2 && samples > 1;
  const tiled = directory.count("TileOffsets") > 0;
  const blockWidth = tiled ? await directory.one("TileWidth", widthPx) : widthPx;
  const blockHeight = tiled
    ? await directory.one("TileLength", heightPx)
    : Math.min(heightPx, await directory.one("RowsPerStrip", heightPx));
  const rowBytes = Math.ceil((blockWidth * (planar ? 1 : samples) * bits) / 8);
  if (!(blockWidth > 0 && blockHeight > 0)) {
    refuse(`is damaged: its ${tiled ? "tiles" : "strips"} have no size. ${AGAIN}`);
  }
  if (tiled && rowBytes * blockHeight > LARGEST_TILE) {
    refuse(
      `has tiles of ${blockWidth} × ${blockHeight} px, too large to read one by one. Save it with 512 px tiles and try again`,
    );
  }
  const blocks =
    Math.ceil(widthPx / blockWidth) * Math.ceil(heightPx / blockHeight) * (planar ? samples : 1);
  if (blocks > MAX_BLOCKS) {
    refuse(
      `is split into ${blocks} tiles or strips, too many to read. Save it with 512 px tiles and try again`,
    );
  }
  const listed = directory.count(tiled ? "TileOffsets" : "StripOffsets");
  if (listed < blocks) {
    refuse(
      `is incomplete: it lists only ${listed} of the ${blocks} tiles or strips of an image. Copy or upload it again`,
    );
  }
  return {
    widthPx,
    heightPx,
    samples,
    bits,
    compression,
    planar,
    tiled,
    blockWidth,
    blockHeight,
    blocks,
    unpackedBytes: Math.ceil((widthPx * samples * bits) / 8) * heightPx,
  };
}

/** Locations of an image's blocks. Throws {@link TiffFault}. O(blocks). */
export async function readPlaces(
  directory: TiffDirectory,
  { tiled, blocks }: Pick<TiffShape, "tiled" | "blocks">,
): Promise<{ offsets: number[]; lengths: number[] }> {
  const kind = tiled ? "Tile" : "Strip";
  return {
    offsets: await directory.numbers(`${kind}Offsets`, blocks),
    lengths: await directory.numbers(`${kind}ByteCounts`, blocks),
  };
}

/** Everything needed to unpack an image. Throws {@link TiffFault}. O(blocks). */
export async function readLayout(directory: TiffDirectory): Promise<BlockLayout> {
  const shape = await readShape(directory);
  const { widthPx, heightPx, samples, bits, compression, planar, tiled, blockWidth } = shape;
  let { blockHeight } = shape;
  let { offsets, lengths } = await readPlaces(directory, shape);
  const interleaved = planar ? 1 : samples;
  if (!tiled && compression === 1) {
    // Uncompressed rows can be read one by one, since a single strip may contain the whole image.
    const rowBytes = Math.ceil((blockWidth * interleaved * bits) / 8);
    const pieces = cutStrips(offsets, { rowBytes, stripRows: blockHeight, heightPx });
    offsets = pieces.offsets;
    lengths = pieces.lengths;
    blockHeight = pieces.rows;
  }
  const [format = 1] = await directory.numbers("SampleFormat", 1);
  const [predictor = 1] = await directory.numbers("Predictor", 1);
  return {
    widthPx,
    heightPx,
    tiled,
    blockWidth,
    blockHeight,
    interleaved,
    planeBlocks: planar ? Math.ceil(widthPx / blockWidth) * Math.ceil(heightPx / blockHeight) : 0,
    offsets,
    lengths,
    compression,
    bits,
    format: format === 2 ? "signed" : format === 3 ? "float" : "unsigned",
    littleEndian: directory.littleEndian,
    // WebP samples are colors, whatever the tags say.
    predictor: compression === 50001 ? 1 : predictor,
  };
}

function cutStrips(
  offsets: readonly number[],
  { rowBytes, stripRows, heightPx }: { rowBytes: number; stripRows: number; heightPx: number },
): { offsets: number[]; lengths: number[]; rows: number } {
  // A divisor of the strip's rows, so that pieces and strips end at the same rows.
  let rows = Math.min(RAW_ROWS, stripRows);
  const wholePlane = stripRows >= heightPx;
  if (!wholePlane) while (stripRows % rows !== 0) rows--;
  const cut: { offsets: number[]; lengths: number[] } = { offsets: [], lengths: [] };
  const strips = Math.ceil(heightPx / stripRows);
  offsets.forEach((offset, strip) => {
    const top = (strip % strips) * stripRows;
    const height = Math.min(stripRows, heightPx - top);
    for (let y = 0; y < height; y += rows) {
      cut.offsets.push(offset + y * rowBytes);
      cut.lengths.push(Math.min(rows, height - y) * rowBytes);
    }
  });
  return { ...cut, rows };
}

/** Lists this short are stored in the tag itself. */
const INLINE_BYTES = 8;
/**
 * Rejects images whose tiles or strips extend past the end of the file (libvips would fill them with black),
 * whose tile lists overlap, that decompress to far more than real images, or that leave out tiles of JPEG, at which
 * libvips fails.
 */
export async function requireBlocks(images: readonly TiffDirectory[], size: number): Promise<void> {
  let [unpacked, listed] = [0, 0];
  for (const image of images) {
    const shape = await readShape(image);
    unpacked += shape.unpackedBytes;
    listed += image.bytes(shape.tiled ? "TileOffsets" : "StripOffsets");
    if (unpacked > maxUnpackedImage(size)) {
      refuse(
        `would decompress from ${size} to ${unpacked} bytes, far more than a real image. Export or copy it again`,
      );
    }
    const { offsets, lengths } = await readPlaces(image, shape);
    if (shape.compression === JPEG && lengths.includes(0)) {
      refuse(
        "leaves out empty tiles, which cannot be read with JPEG compression. Export it with all tiles, or with LZW or Deflate compression, and try again",
      );
    }
    if (listed > size + INLINE_BYTES * images.length) {
      refuse("is damaged: its lists of tiles or strips overlap. Export or copy it again");
    }
    let end = 0;
    for (let i = 0; i < offsets.length; i++) end = Math.max(end, offsets[i] + (lengths[i] ?? 1));
    if (end > size) {
      refuse(
        `is incomplete: it ends after ${size} bytes, but its image data extend to byte ${end}. Copy or upload it again`,
      );
    }
  }
}
