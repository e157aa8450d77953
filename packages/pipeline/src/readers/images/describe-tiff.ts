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
import { readPlaces, readShape, type TiffShape } from "./tiff-layout.ts";
import { UNPACKED_HERE } from "./unpack-block.ts";

/** One image of a TIFF file, as addressed in libvips. A channel's version is `channel` pages further on. */
export interface TiffPage {
  page: number;
  /** Index among the SubIFDs of `page`; -1 for the page itself. */
  subifd: number;
  widthPx: number;
  heightPx: number;
}

export interface TiffDescription {
  kind: "rgb" | "gray" | "channels";
  widthPx: number;
  heightPx: number;
  channels: number;
  channelNames: string[];
  bitsPerSample: number;
  tiled: boolean;
  alpha: "none" | "transparency" | "ignored";
  /** Channels are on separate pages (true) or interleaved in each pixel. */
  channelsAsPages: boolean;
  /** Smaller versions of the first page, largest first. */
  levels: TiffPage[];
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
/** Maximum numbers of pages that may be channels, and of smaller versions considered. */
const MOST_CHANNELS = 512;
const MOST_LEVELS = 64;
/**
 * Numbers per block unpacked here: above the first limit it is left to libvips; above the second it takes too
 * much memory.
 */
const QUICK_BLOCK = 32e6;
const LARGEST_BLOCK = 128e6;
const LONGEST_PAGE_TEXT = 2 ** 20;
/** Lists this short are stored in the tag itself. */
const INLINE_BYTES = 8;
const CONVERT = "save it as an 8-bit RGB TIFF (or 16-bit channels for fluorescence) and try again";

/**
 * Reads a TIFF's directories (never its pixels) and returns how to read it, or rejects it with one sentence.
 * Pages of the same size as the first are channels, smaller ones with its aspect ratio are pyramid levels, and
 * others (labels, macros) are ignored. With `unpackHere`, numbers are unpacked without libvips wherever
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
  const images = directories.images;
  const first = images[0]!;
  const shape = await readShape(first);
  const { widthPx, heightPx, samples, bits: bitsPerSample } = shape;
  const [photometric = 1] = await first.numbers("PhotometricInterpretation", 1);

  const stored = await storedNumbers(first, shape, { photometric, unpackHere });
  const color = [2, 3, 5, 6].includes(photometric);
  if (color && samples > 5) refuse(`has ${samples} samples per pixel in color mode: ${CONVERT}`);
  if ((photometric === 2 || photometric === 5) && samples < 3)
    refuse(`is marked ${photometric === 2 ? "RGB" : "CMYK"} but has ${samples} samples per pixel`);

  const description = await first.text("ImageDescription");
  const planes = declaredPlanes(description);
  if (planes > 1) {
    refuse(
      `is a stack of ${planes} planes or time points. Save one plane (or a projection) with its channels and try again`,
    );
  }
  const pages = await Promise.all(images.map(sizeOf));
  const isChannel = (page: PageSize): boolean =>
    page.widthPx === widthPx && page.heightPx === heightPx && page.samples === 1;
  const sameSize = pages.filter(isChannel).length;
  const channelsAsPages = !color && samples === 1 && sameSize > 1;
  const declared = Number(/^images=(\d+)/m.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=") && declared > pages.length) {
    refuse(
      `is an ImageJ file that lists ${declared} images but describes only ${pages.length}. Save it as OME-TIFF and try again`,
    );
  }
  const leading = channelsAsPages ? sameSize : 1;
  if (channelsAsPages && !pages.slice(0, leading).every(isChannel)) {
    refuse("mixes channels and other pages. Save it as OME-TIFF and try again");
  }
  if (leading > MOST_CHANNELS) {
    refuse(
      `has ${leading} channels; at most ${MOST_CHANNELS} can be read. Save fewer channels and try again`,
    );
  }
  const extra = await first.numbers("ExtraSamples");
  const isAlpha = extra.length === 1 && !stored && (extra[0] === 1 || extra[0] === 2);
  const grayAlpha = !color && samples === 2 && isAlpha;
  const perPixel = color ? 3 : grayAlpha ? 1 : samples;
  const channels = channelsAsPages ? leading : perPixel;

  await requireBlocks(images.slice(0, leading), source.size);

  let levels = await smallerPages(images, pages, { full: shape, leading });
  if (levels.length === 0) levels = await subIfdLevels(directories, shape, source.size);
  levels.sort((a, b) => b.widthPx - a.widthPx);
  const smallest = levels.at(-1) ?? { widthPx, heightPx };
  return {
    kind: color ? "rgb" : channels === 1 ? "gray" : "channels",
    widthPx,
    heightPx,
    channels,
    channelNames: await channelNames(description, images.slice(0, channels), channels),
    bitsPerSample: stored ? (bitsPerSample > 8 ? 16 : 8) : bitsPerSample,
    tiled: shape.tiled,
    alpha:
      !stored && ((color && samples === 4) || grayAlpha)
        ? isAlpha
          ? "transparency"
          : "ignored"
        : "none",
    channelsAsPages,
    levels,
    overviewPx: smallest.widthPx * smallest.heightPx,
    stored,
    micronsPerPixel: plausible(
      omePixelSize(description) ??
        resolutionPixelSize(
          await first.numbers("XResolution", 1),
          (await first.numbers("ResolutionUnit", 1))[0] ?? 2,
        ),
    ),
  };
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

/** z planes × time points declared in the metadata. */
function declaredPlanes(description: string): number {
  const number = (pattern: RegExp): number => Number(pattern.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=")) {
    return number(/^slices=(\d+)/m) * number(/^frames=(\d+)/m);
  }
  if (!description.includes("<OME")) return 1;
  return number(/\bSizeZ="(\d+)"/) * number(/\bSizeT="(\d+)"/);
}

interface PageSize {
  widthPx: number;
  heightPx: number;
  samples: number;
}

/** A page's size; 0 for a damaged page. */
async function sizeOf(page: TiffDirectory): Promise<PageSize> {
  const number = async (tag: "ImageWidth" | "ImageLength" | "SamplesPerPixel"): Promise<number> =>
    (await page.numbers(tag, 1))[0] ?? (tag === "SamplesPerPixel" ? 1 : 0);
  return {
    widthPx: await number("ImageWidth"),
    heightPx: await number("ImageLength"),
    samples: await number("SamplesPerPixel"),
  };
}

/**
 * Pages with smaller versions. If `leading` pages are channels, each version must have that many consecutive
 * pages of its size.
 */
async function smallerPages(
  images: readonly TiffDirectory[],
  pages: readonly PageSize[],
  { full, leading }: { full: TiffShape; leading: number },
): Promise<TiffPage[]> {
  const levels: TiffPage[] = [];
  for (let page = leading; page < pages.length && levels.length < MOST_LEVELS;) {
    const { widthPx, heightPx } = pages[page]!;
    const group = pages.slice(page, page + leading);
    const whole =
      group.length === leading &&
      group.every(
        (other) =>
          other.widthPx === widthPx &&
          other.heightPx === heightPx &&
          other.samples === full.samples,
      );
    const smaller =
      widthPx < full.widthPx && sameShape(widthPx, heightPx, full.widthPx, full.heightPx);
    if (whole && smaller && (await canBeRead(images.slice(page, page + leading), full))) {
      levels.push({ page, subifd: -1, widthPx, heightPx });
      page += leading;
    } else {
      page++;
    }
  }
  return levels;
}

/** A level that cannot be read is ignored, since the full image is available. */
async function canBeRead(images: readonly TiffDirectory[], full: TiffShape): Promise<boolean> {
  try {
    for (const image of images) {
      const { samples, bits } = await readShape(image);
      if (samples !== full.samples || bits !== full.bits) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof TiffFault) return false;
    throw error;
  }
}

async function subIfdLevels(
  directories: TiffDirectories,
  full: TiffShape,
  size: number,
): Promise<TiffPage[]> {
  const levels: TiffPage[] = [];
  const offsets = await directories.images[0]!.numbers("SubIFDs", MOST_LEVELS);
  for (const [subifd, offset] of offsets.entries()) {
    if (offset <= 0 || offset >= size) continue;
    const directory = await directories.at(offset).catch((error: unknown) => {
      if (error instanceof TiffFault) return null;
      throw error;
    });
    if (!directory || !(await canBeRead([directory], full))) continue;
    const { widthPx, heightPx } = await readShape(directory);
    if (widthPx < full.widthPx && sameShape(widthPx, heightPx, full.widthPx, full.heightPx)) {
      levels.push({ page: 0, subifd, widthPx, heightPx });
    }
  }
  return levels;
}

/** Whether a smaller image shows the same field: both sides shrink equally, to within rounding. */
function sameShape(width: number, height: number, fullWidth: number, fullHeight: number): boolean {
  const factor = fullWidth / width;
  return Math.abs(height - fullHeight / factor) <= 1 + 0.005 * height;
}

/** Channel names: from OME-XML, from ImageJ's or PerkinElmer's description, or from the page names. */
async function channelNames(
  description: string,
  pages: readonly TiffDirectory[],
  channels: number,
): Promise<string[]> {
  if (description.includes("<OME")) {
    const names = [...description.matchAll(/<Channel\b[^<>]*>/g)].map(
      ([element]) =>
        /\bName="([^"]*)"/.exec(element)?.[1] ?? /\bFluor="([^"]*)"/.exec(element)?.[1],
    );
    if (names.length !== channels || names.every((name) => !name)) return [];
    return names.map((name, i) => plainText(name ?? "") || `Channel ${i + 1}`);
  }
  if (pages.length !== channels || channels < 2) return [];
  const names: string[] = [];
  for (const page of pages) {
    const own = await page.text("ImageDescription", LONGEST_PAGE_TEXT);
    const named =
      /<Name>([^<]*)<\/Name>/.exec(own)?.[1] ?? (await page.text("PageName", LONGEST_PAGE_TEXT));
    names.push(plainText(named));
  }
  return names.every((name) => name !== "") ? names : [];
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function plainText(text: string): string {
  return text
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\0/g, "")
    .trim();
}

const UNIT_UM: Record<string, number> = { µm: 1, um: 1, nm: 1e-3, mm: 1e3, cm: 1e4, m: 1e6 };

function omePixelSize(description: string): number | null {
  const size = /\bPhysicalSizeX="([^"]+)"/.exec(description)?.[1];
  if (size === undefined) return null;
  const unit = /\bPhysicalSizeXUnit="([^"]+)"/.exec(description)?.[1] ?? "µm";
  return Number(size) * (UNIT_UM[unit.replace("μ", "µ").replace("&#181;", "µ")] ?? Number.NaN);
}

/** µm per pixel from resolution tags: unit 2 is inches, 3 is centimeters. */
function resolutionPixelSize(resolution: number[], unit: number): number | null {
  const [numerator, denominator = 1] = resolution;
  if (numerator === undefined || !(numerator > 0) || (unit !== 2 && unit !== 3)) return null;
  return ((unit === 2 ? 25_400 : 10_000) * denominator) / numerator;
}

function plausible(size: number | null): number | null {
  return size !== null && size >= 0.05 && size <= 20 ? size : null;
}
