import { basename } from "node:path";
import { open } from "node:fs/promises";
import { InputError } from "../../errors.ts";
import { mostUnpackedImage } from "../limits.ts";
import {
  sourceOf,
  TiffDirectories,
  TiffFault,
  type ByteSource,
  type TiffDirectory,
} from "./tiff-directories.ts";
import { orientationOf, type Orientation } from "./orientation.ts";
import { readPlaces, readShape, type TiffShape } from "./tiff-layout.ts";
import {
  channelNames,
  declaredPages,
  declaredPlanes,
  omePixelSize,
  partOfImage,
  plausible,
  resolutionPixelSize,
} from "./tiff-metadata.ts";
import {
  mainPage,
  smallerVersions,
  unusedPages,
  type MainPage,
  type TiffPage,
} from "./tiff-pages.ts";
import { UNPACKED_HERE } from "./unpack-block.ts";

export interface TiffDescription {
  kind: "rgb" | "gray" | "channels";
  widthPx: number;
  heightPx: number;
  channels: number;
  channelNames: string[];
  bitsPerSample: number;
  tiled: boolean;
  alpha: "none" | "transparency" | "ignored";
  /** The image itself; channels on pages of their own list each one's, else they are interleaved in each pixel. */
  full: TiffPage;
  /** Smaller versions of it, largest first. */
  levels: TiffPage[];
  /** Pages that show something else or nothing known, in words. */
  unusedPages: string[];
  /** How the stored pixels must be turned to be upright, by the file's own tag. */
  orientation: Orientation;
  /** Number of pixels in the smallest version. */
  overviewPx: number;
  /** How the numbers are stored, if libvips cannot read them; null if it can. */
  stored: StoredNumbers | null;
  micronsPerPixel: number | null;
}

/** How to interpret the numbers of a TIFF. */
export interface StoredNumbers {
  bits: number;
  format: "unsigned" | "signed" | "float";
  samples: number;
  /** The largest possible number (1 for floating point). */
  highest: number;
  whiteIsZero: boolean;
  /** Samples are amounts of cyan, magenta, yellow (and black) between these two numbers. */
  ink: { lowest: number; highest: number } | null;
  /** 16-bit red of each index, then green, then blue. */
  palette: number[] | null;
}

const READABLE_COMPRESSION = new Set([1, 2, 3, 4, 5, 7, 8, 32773, 32946]);
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
/** Maximum number of pages that may be channels. */
const MAX_CHANNELS = 512;
/**
 * Numbers per block unpacked here: above the first limit it is left to libvips; above the second it takes too
 * much memory.
 */
const QUICK_BLOCK = 32e6;
const LARGEST_BLOCK = 128e6;
/** Lists this short are stored in the tag itself. */
const INLINE_BYTES = 8;
const CONVERT = "save it as an 8-bit RGB TIFF (or 16-bit channels for fluorescence) and try again";

/**
 * Reads a TIFF's directories (never its pixels) and returns how to read it, or rejects it with one sentence.
 * The largest page is the image, wherever it is; gray pages of its size are channels, smaller ones with its aspect
 * ratio are pyramid levels, and others (labels, macros) are not used. With `unpackHere`, numbers are unpacked without libvips wherever
 * possible. O(tiles), because every tile must lie inside the file.
 */
export async function describeTiff(
  path: string,
  { unpackHere = false } = {},
): Promise<TiffDescription> {
  const file = basename(path);
  const handle = await open(path, "r");
  try {
    return await describe(await sourceOf(handle), unpackHere);
  } catch (cause) {
    if (!(cause instanceof TiffFault)) throw cause;
    throw new InputError(`${file} ${cause.message}.`, { file, cause });
  } finally {
    await handle.close();
  }
}

/** Rejects the file; `what` completes a sentence that starts with its name. */
function refuse(what: string): never {
  throw new TiffFault(what);
}

async function describe(source: ByteSource, unpackHere: boolean): Promise<TiffDescription> {
  const directories = await TiffDirectories.read(source);
  const { images } = directories;
  const main = await mainPage(directories, source.size);
  const shape = await readShape(main.directory);
  const { widthPx, heightPx, samples, bits: bitsPerSample } = shape;
  const [photometric = 1] = await main.directory.numbers("PhotometricInterpretation", 1);

  const stored = await storedNumbers(main.directory, shape, { photometric, unpackHere });
  const color = [2, 3, 5, 6].includes(photometric);
  if (color && samples > 5) refuse(`has ${samples} samples per pixel in color mode: ${CONVERT}`);
  if ((photometric === 2 || photometric === 5) && samples < 3)
    refuse(`is marked ${photometric === 2 ? "RGB" : "CMYK"} but has ${samples} samples per pixel`);

  // Programs describe the whole file on its first page.
  const whole = await images[0]!.text("ImageDescription");
  const description = whole.includes("<OME")
    ? partOfImage(whole, shape)
    : await main.directory.text("ImageDescription");
  const planes = declaredPlanes(description);
  if (planes > 1) {
    refuse(
      `is a stack of ${planes} planes or time points. Save one plane (or a projection) with its channels and try again`,
    );
  }
  const declared = Number(/^images=(\d+)/m.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=") && declared > images.length) {
    refuse(
      `is an ImageJ file that lists ${declared} images but describes only ${images.length}. Save it as OME-TIFF and try again`,
    );
  }
  const isGray = !color && samples === 1 && main.subifd < 0;
  const channelPages = isGray ? channelPagesOf(main, description) : [main.page];
  const channelsAsPages = channelPages.length > 1;
  if (channelPages.length > MAX_CHANNELS) {
    refuse(
      `has ${channelPages.length} channels; at most ${MAX_CHANNELS} can be read. Save fewer channels and try again`,
    );
  }
  const extra = await main.directory.numbers("ExtraSamples");
  const isAlpha = extra.length === 1 && !stored && (extra[0] === 1 || extra[0] === 2);
  const grayAlpha = !color && samples === 2 && isAlpha;
  const perPixel = color ? 3 : grayAlpha ? 1 : samples;
  const channels = channelsAsPages ? channelPages.length : perPixel;

  const leading = channelsAsPages ? channelPages.map((page) => images[page]!) : [main.directory];
  await requireBlocks(leading, source.size);

  const levels = await smallerVersions(directories, main, {
    full: shape,
    channelPages,
    size: source.size,
  });
  const smallest = levels.at(-1) ?? { widthPx, heightPx };
  const used = [channelPages, ...levels.map(({ pages }) => pages)];
  return {
    kind: color ? "rgb" : channels === 1 ? "gray" : "channels",
    widthPx,
    heightPx,
    channels,
    channelNames: await channelNames(description, leading, channels),
    bitsPerSample: stored ? (bitsPerSample > 8 ? 16 : 8) : bitsPerSample,
    tiled: shape.tiled,
    alpha:
      !stored && ((color && samples === 4) || grayAlpha)
        ? isAlpha
          ? "transparency"
          : "ignored"
        : "none",
    full: { pages: channelPages, subifd: main.subifd, widthPx, heightPx },
    levels,
    unusedPages: unusedPages(main, used),
    orientation: orientationOf((await main.directory.numbers("Orientation", 1))[0]),
    overviewPx: smallest.widthPx * smallest.heightPx,
    stored,
    micronsPerPixel: plausible(
      omePixelSize(description) ??
        resolutionPixelSize(
          await main.directory.numbers("XResolution", 1),
          (await main.directory.numbers("ResolutionUnit", 1))[0] ?? 2,
        ),
    ),
  };
}

/** Gray pages of the main page's size are its channels; of those, OME metadata may list only some. */
function channelPagesOf({ page, sizes, others }: MainPage, description: string): number[] {
  const { widthPx, heightPx } = sizes[page]!;
  const alike = [...sizes.keys()].filter((at) => {
    const size = sizes[at]!;
    const same = size.widthPx === widthPx && size.heightPx === heightPx && size.samples === 1;
    return same && !others.has(at);
  });
  const declared = declaredPages(description);
  if (declared === null || declared.count >= alike.length) return alike;
  const own = alike.filter((at) => at >= declared.first).slice(0, declared.count);
  return own.length === declared.count ? own : alike;
}

/**
 * How to unpack a file's numbers if libvips does not read them correctly; null if it does. Rejects formats that
 * neither can read.
 */
async function storedNumbers(
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
  const plain = format === 1 && even && [1, 2, 4, 8, 16].includes(bits);
  if (READABLE_COMPRESSION.has(compression) && plain && [0, 1, 2, 3, 6].includes(photometric)) {
    const possible = UNPACKED_HERE.has(compression) && photometric !== 6 && bits >= 8;
    if (!(unpackHere && possible && numbersABlock <= QUICK_BLOCK)) return null;
  }
  if (!UNPACKED_HERE.has(compression)) {
    const name = COMPRESSION_NAMES[compression];
    if (!READABLE_COMPRESSION.has(compression)) {
      refuse(
        `uses ${name ?? `compression number ${compression}, which is`} ${name ? "compression, which is " : ""}not supported. Save it with LZW, Deflate or JPEG compression and try again`,
      );
    }
    refuse(`combines its compression with an unusual color or depth: ${CONVERT}`);
  }
  if (![0, 1, 2, 3, 5].includes(photometric)) {
    const name = photometric === 8 ? "Lab" : photometric === 6 ? "YCbCr" : `type ${photometric}`;
    refuse(`stores its colors as ${name} in a way that is not supported: ${CONVERT}`);
  }
  const read = {
    1: (b: number) => b <= 32 || b === 64,
    2: (b: number) => [8, 16, 24, 32, 64].includes(b),
    3: (b: number) => [16, 32, 64].includes(b),
  }[format];
  const [predictor = 1] = await image.numbers("Predictor", 1);
  const [fillOrder = 1] = await image.numbers("FillOrder", 1);
  const readable =
    read?.(bits) === true &&
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
    ink: photometric === 5 ? { lowest: format === 2 ? -highest - 1 : 0, highest } : null,
    palette: photometric === 3 ? await paletteOf(image, bits) : null,
  };
}

/** 16-bit red of each index, then green, then blue. */
async function paletteOf(image: TiffDirectory, bits: number): Promise<number[]> {
  const colors = await image.numbers("ColorMap");
  if (bits <= 16 && colors.length === 3 * 2 ** bits) return colors;
  return refuse(`has no color map of ${2 ** bits} entries: ${CONVERT}`);
}

/**
 * Rejects images whose tiles or strips extend past the end of the file (libvips would fill them with black),
 * whose tile lists overlap, or that decompress to far more than real images.
 */
async function requireBlocks(images: readonly TiffDirectory[], size: number): Promise<void> {
  let [unpacked, listed] = [0, 0];
  for (const image of images) {
    const shape = await readShape(image);
    unpacked += shape.unpackedBytes;
    listed += image.bytes(shape.tiled ? "TileOffsets" : "StripOffsets");
    if (unpacked > mostUnpackedImage(size)) {
      refuse(
        `would decompress from ${size} to ${unpacked} bytes, far more than a real image. Export or copy it again`,
      );
    }
    const { offsets, lengths } = await readPlaces(image, shape);
    if (listed > size + INLINE_BYTES * images.length) {
      refuse("is damaged: its lists of tiles or strips overlap. Export or copy it again");
    }
    let end = 0;
    for (let i = 0; i < offsets.length; i++) end = Math.max(end, offsets[i]! + (lengths[i] ?? 1));
    if (end > size) {
      refuse(
        `is incomplete: it ends after ${size} bytes, but its image data extend to byte ${end}. Copy or upload it again`,
      );
    }
  }
}
