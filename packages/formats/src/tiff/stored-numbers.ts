import { CODECS } from "./codecs/index.ts";
import { type TiffDirectory, CONVERT, refuse } from "./directories.ts";
import { JPEG, type TiffShape } from "./layout.ts";

/** How to interpret the numbers of a TIFF. */
export interface StoredNumbers {
  bits: number;
  format: "unsigned" | "signed" | "float";
  samples: number;
  /** The largest possible number (1 for floating point). */
  highest: number;
  whiteIsZero: boolean;
  /** The sample that says how opaque a pixel is, and whether colors are already multiplied by it. */
  transparency: { sample: number; isAssociated: boolean } | null;
  /** Samples are amounts of cyan, magenta, yellow (and black) between these two numbers. */
  ink: { lowest: number; highest: number } | null;
  /** 16-bit red of each index, then green, then blue. */
  palette: number[] | null;
}

const READABLE_COMPRESSION = new Set([1, 2, 3, 4, 5, JPEG, 8, 32773, 32946]);
const COMPRESSION_NAMES: Record<number, string> = {
  6: "old-style JPEG",
  33003: "JPEG 2000",
  33004: "JPEG 2000",
  33005: "JPEG 2000",
  34712: "JPEG 2000",
  34676: "LogLuv",
  34677: "LogLuv",
  34887: "LERC",
  34925: "LZMA",
  50000: "Zstandard",
  50001: "WebP",
  50002: "JPEG XL",
  52546: "JPEG XL",
};
/** Which depths are read, by SampleFormat. */
const DEPTHS_READ = new Map<number, (bits: number) => boolean>([
  [1, (bits) => bits <= 32 || bits === 64],
  [2, (bits) => [8, 16, 24, 32, 64].includes(bits)],
  [3, (bits) => [16, 32, 64].includes(bits)],
]);
/**
 * Numbers per block unpacked here: above the first limit it is left to libvips; above the second it takes too
 * much memory.
 */
const QUICK_BLOCK = 32e6;
const LARGEST_BLOCK = 128e6;
/** sharp refuses more than five samples, and takes off only one that is no color. */
const [MOST_OF_COLOR, MOST_OF_CHANNELS] = [4, 5];
/**
 * How to unpack a file's numbers if libvips does not read them correctly; null if it does. Rejects formats that
 * neither can read.
 */
export async function storedNumbers(
  image: TiffDirectory,
  { bits, samples, compression, blockWidth, blockHeight, planar, tiled }: TiffShape,
  { photometric, unpackHere }: { photometric: number; unpackHere: boolean },
): Promise<StoredNumbers | null> {
  const depths = await image.numbers("BitsPerSample", samples);
  const formats = await image.numbers("SampleFormat", samples);
  // 4 = undefined, which all programs read as unsigned.
  const format = formats.find((each) => each !== 4) ?? 1;
  const even = depths.every((b) => b === bits);
  // Uncompressed strips are read row by row.
  const inRows = !tiled && compression === 1;
  const numbersABlock = inRows ? 0 : blockWidth * blockHeight * (planar ? 1 : samples);
  const color = photometric === 2 || photometric === 6;
  // Of samples in planes of their own, libvips reads only colors in strips; it mixes up the rows of others.
  const inOrder = !planar || (color && !tiled);
  const plain =
    format === 1 &&
    // libvips rejects tiles of other sizes, which some programs write.
    !(tiled && (blockWidth % 16 || blockHeight % 16)) &&
    even &&
    [1, 2, 4, 8, 16].includes(bits) &&
    inOrder &&
    samples <= (color ? MOST_OF_COLOR : MOST_OF_CHANNELS);
  // libvips turns YCbCr into colors only where it is JPEG.
  const usual = compression === JPEG ? [0, 1, 2, 3, 6] : [0, 1, 2, 3];
  const extra = await image.numbers("ExtraSamples");
  if (READABLE_COMPRESSION.has(compression) && plain && usual.includes(photometric)) {
    // Transparency, associated or not, is left to libvips.
    const isOpaque = !extra.some((kind) => kind === 1 || kind === 2);
    const possible = CODECS.has(compression) && bits >= 8 && isOpaque;
    if (!(unpackHere && possible && numbersABlock <= QUICK_BLOCK)) return null;
  }
  if (!CODECS.has(compression)) {
    const name = COMPRESSION_NAMES[compression];
    if (!READABLE_COMPRESSION.has(compression)) {
      refuse(
        `uses ${name ?? `compression number ${compression}, which is`} ${name ? "compression, which is " : ""}not supported. Save it with LZW, Deflate or JPEG compression and try again`,
      );
    }
    refuse(`combines its compression with an unusual color, depth, or tile size: ${CONVERT}`);
  }
  if (![0, 1, 2, 3, 5].includes(photometric)) {
    const name = photometric === 8 ? "Lab" : photometric === 6 ? "YCbCr" : `type ${photometric}`;
    refuse(`stores its colors as ${name} in a way that is not supported: ${CONVERT}`);
  }
  const [predictor = 1] = await image.numbers("Predictor", 1);
  const [fillOrder = 1] = await image.numbers("FillOrder", 1);
  const readable =
    DEPTHS_READ.get(format)?.(bits) === true &&
    even &&
    formats.every((each) => each === formats[0]) &&
    (predictor === 1 || (predictor === 2 && bits < 64) || (predictor === 3 && format === 3)) &&
    (fillOrder === 1 || bits % 8 === 0);
  if (!readable) {
    const kind = format === 3 ? "floating-point" : format === 2 ? "signed" : "unsigned";
    refuse(
      `stores ${kind} values of ${depths.join("/")} bits, which are not supported: ${CONVERT}`,
    );
  }
  if (numbersABlock > LARGEST_BLOCK) {
    refuse(
      `is stored in blocks of ${blockWidth} × ${blockHeight} px, too large to read one by one. Save it with 512 px tiles and try again`,
    );
  }
  const highest = format === 3 ? 1 : format === 2 ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return {
    bits,
    format: format === 3 ? "float" : format === 2 ? "signed" : "unsigned",
    samples,
    highest,
    whiteIsZero: photometric === 0,
    transparency:
      isTransparency(extra) && format === 1 && samples === (photometric === 2 ? 4 : 2)
        ? { sample: samples - 1, isAssociated: extra[0] === 1 }
        : null,
    ink: photometric === 5 ? { lowest: format === 2 ? -highest - 1 : 0, highest } : null,
    palette: photometric === 3 ? await paletteOf(image, bits) : null,
  };
}

/** Whether the only sample that is no color says how opaque a pixel is. */
export function isTransparency(extraSamples: readonly number[]): boolean {
  return extraSamples.length === 1 && (extraSamples[0] === 1 || extraSamples[0] === 2);
}

/** 16-bit red of each index, then green, then blue. */
async function paletteOf(image: TiffDirectory, bits: number): Promise<number[]> {
  const colors = await image.numbers("ColorMap");
  if (bits <= 16 && colors.length === 3 * 2 ** bits) {
    // Some programs write the colors in 8 bits.
    return colors.some((value) => value > 255) ? colors : colors.map((value) => 257 * value);
  }
  return refuse(`has no color map of ${2 ** bits} entries: ${CONVERT}`);
}
