import { basename } from "node:path";
import { stat } from "node:fs/promises";
import type { GeoTIFF, GeoTIFFImage } from "geotiff";
import { InputError } from "../../errors.ts";
import { numbersOf, openDirectories, UNPACKED_HERE } from "./tiff-blocks.ts";

/** One image of a TIFF file, as libvips addresses it. A channel's version lies `channel` pages further on. */
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
  /** Channels lie on pages of their own (true) or side by side in each pixel. */
  channelsAsPages: boolean;
  /** Smaller versions of the first page, largest first. */
  levels: TiffPage[];
  /** Pixels of the smallest version. */
  overviewPx: number;
  /** How the numbers are stored, where libvips cannot read them; null where it can. */
  stored: StoredNumbers | null;
  micronsPerPixel: number | null;
}

/** What the numbers of a TIFF mean. */
export interface StoredNumbers {
  bits: number;
  format: "unsigned" | "signed" | "float";
  samples: number;
  /** The largest number there can be (1 for floating point). */
  highest: number;
  whiteIsZero: boolean;
  /** Samples are amounts of cyan, magenta, yellow (and black) between these two numbers. */
  ink: { lowest: number; highest: number } | null;
  /** 16-bit red of every index, then green, then blue. */
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
const CONVERT = "save it as an 8-bit RGB TIFF (or 16-bit channels for fluorescence) and try again";

/**
 * Reads a TIFF's directories (never its pixels) and says how to read it, or refuses with one sentence.
 * Pages of the first page's size are channels, smaller ones of its shape are pyramid levels, others (labels, macros)
 * are left out. With `unpackHere` numbers are unpacked without libvips wherever that is possible. O(tiles), because every tile must lie inside the file.
 */
export async function describeTiff(
  path: string,
  { unpackHere = false } = {},
): Promise<TiffDescription> {
  const file = basename(path);
  const refuse = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}.`, { file, cause });
  };
  let tiff: GeoTIFF;
  let first: GeoTIFFImage;
  let pages: GeoTIFFImage[];
  try {
    tiff = await openDirectories(path);
  } catch (cause) {
    return refuse("is damaged: its TIFF header cannot be read. Export or copy it again", cause);
  }
  try {
    try {
      const count = await tiff.getImageCount();
      pages = [];
      for (let i = 0; i < count; i++) pages.push(await tiff.getImage(i));
      first = pages[0] ?? refuse("holds no image");
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      return refuse(
        "is incomplete: its list of images lies beyond the end of the file. Copy or upload it again",
        cause,
      );
    }
    const tag = async (image: GeoTIFFImage, name: string): Promise<unknown> =>
      (image.fileDirectory as { loadValue(tag: string): Promise<unknown> })
        .loadValue(name)
        .catch((cause: unknown) =>
          refuse("is incomplete: its tags lie beyond the end of the file", cause),
        );
    const numbers = (image: GeoTIFFImage, name: string): Promise<number[]> =>
      numbersOf(image.fileDirectory, name).catch((cause: unknown) =>
        refuse("is incomplete: its tags lie beyond the end of the file", cause),
      );

    const widthPx = first.getWidth();
    const heightPx = first.getHeight();
    if (!(widthPx > 0 && heightPx > 0)) {
      return refuse(
        "is incomplete or damaged: its first image has no size. Copy or upload it again",
      );
    }
    const samples = first.getSamplesPerPixel();
    const bits = await numbers(first, "BitsPerSample");
    const bitsPerSample = bits[0] ?? 1;
    const formats = await numbers(first, "SampleFormat");
    const [compression = 1] = await numbers(first, "Compression");
    const [photometric = 1] = await numbers(first, "PhotometricInterpretation");

    const stored = await storedNumbers(
      first,
      { bits, formats, compression, photometric, unpackHere },
      refuse,
    );
    const colour = [2, 3, 5, 6].includes(photometric);
    if (colour && samples > 5) refuse(`has ${samples} samples a pixel in color mode: ${CONVERT}`);
    if ((photometric === 2 || photometric === 5) && samples < 3)
      refuse(`is marked ${photometric === 2 ? "RGB" : "CMYK"} but has ${samples} samples a pixel`);

    const description = String((await tag(first, "ImageDescription")) ?? "");
    const planes = declaredPlanes(description);
    if (planes > 1) {
      refuse(
        `is a stack of ${planes} planes or time points. Save one plane (or a projection) with its channels and try again`,
      );
    }
    const sameSize = pages.filter(
      (page) =>
        page.getWidth() === widthPx &&
        page.getHeight() === heightPx &&
        page.getSamplesPerPixel() === 1,
    );
    const channelsAsPages = !colour && samples === 1 && sameSize.length > 1;
    const declared = Number(/^images=(\d+)/m.exec(description)?.[1] ?? 1);
    if (description.startsWith("ImageJ=") && declared > pages.length) {
      refuse(
        `is an ImageJ file that lists ${declared} images but describes only ${pages.length}. Save it as OME-TIFF and try again`,
      );
    }
    const leading = channelsAsPages ? sameSize.length : 1;
    if (channelsAsPages && pages.slice(0, leading).some((page) => !sameSize.includes(page))) {
      refuse("mixes channels and other pages. Save it as OME-TIFF and try again");
    }
    const extra = await numbers(first, "ExtraSamples");
    const isAlpha = extra.length === 1 && !stored && (extra[0] === 1 || extra[0] === 2);
    const grayAlpha = !colour && samples === 2 && isAlpha;
    const perPixel = colour ? 3 : grayAlpha ? 1 : samples;
    const channels = channelsAsPages ? leading : perPixel;

    const { size } = await stat(path);
    for (const page of pages.slice(0, leading)) await requireBlocks(page, size, numbers, refuse);

    const levels = smallerPages(pages, widthPx, heightPx, { samples, leading });
    if (levels.length === 0) {
      levels.push(...(await subIfdLevels(tiff, await numbers(first, "SubIFDs"), first)));
    }
    levels.sort((a, b) => b.widthPx - a.widthPx);
    const smallest = levels.at(-1) ?? { widthPx, heightPx };
    return {
      kind: colour ? "rgb" : channels === 1 ? "gray" : "channels",
      widthPx,
      heightPx,
      channels,
      channelNames: await channelNames(description, pages.slice(0, channels), channels, tag),
      bitsPerSample: stored ? (bitsPerSample > 8 ? 16 : 8) : bitsPerSample,
      tiled: (await numbers(first, "TileWidth")).length > 0,
      alpha:
        !stored && ((colour && samples === 4) || grayAlpha)
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
            await numbers(first, "XResolution"),
            (await numbers(first, "ResolutionUnit"))[0] ?? 2,
          ),
      ),
    };
  } finally {
    await tiff.close();
  }
}

/** How to unpack a file's numbers where libvips does not read them right; null where it does. Refuses what nobody reads. */
async function storedNumbers(
  image: GeoTIFFImage,
  tags: {
    bits: number[];
    formats: number[];
    compression: number;
    photometric: number;
    unpackHere: boolean;
  },
  refuse: (what: string) => never,
): Promise<StoredNumbers | null> {
  const { formats, compression, photometric } = tags;
  const bits = tags.bits[0] ?? 1;
  // 4 = undefined, which everyone reads as unsigned.
  const format = formats.find((each) => each !== 4) ?? 1;
  const even = tags.bits.every((b) => b === bits);
  const plain = format === 1 && even && [1, 2, 4, 8, 16].includes(bits);
  if (READABLE_COMPRESSION.has(compression) && plain && [0, 1, 2, 3, 6].includes(photometric)) {
    const possible = UNPACKED_HERE.has(compression) && photometric !== 6 && bits >= 8;
    if (!(tags.unpackHere && possible)) return null;
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
  const depths = {
    1: (b: number) => b <= 32 || b === 64,
    2: (b: number) => [8, 16, 24, 32, 64].includes(b),
    3: (b: number) => [16, 32, 64].includes(b),
  }[format];
  const [predictor = 1] = await numbersOf(image.fileDirectory, "Predictor");
  const [fillOrder = 1] = await numbersOf(image.fileDirectory, "FillOrder");
  const readable =
    depths?.(bits) === true &&
    even &&
    formats.every((each) => each === formats[0]) &&
    (predictor === 1 || (predictor === 2 && bits < 64) || (predictor === 3 && format === 3)) &&
    (fillOrder === 1 || bits % 8 === 0);
  if (!readable) {
    const kind = format === 3 ? "floating-point" : format === 2 ? "signed" : "unsigned";
    refuse(
      `stores ${kind} values of ${tags.bits.join("/")} bits, which are not supported: ${CONVERT}`,
    );
  }
  const highest = format === 3 ? 1 : format === 2 ? 2 ** (bits - 1) - 1 : 2 ** bits - 1;
  return {
    bits,
    format: format === 3 ? "float" : format === 2 ? "signed" : "unsigned",
    samples: image.getSamplesPerPixel(),
    highest,
    whiteIsZero: photometric === 0,
    ink: photometric === 5 ? { lowest: format === 2 ? -highest - 1 : 0, highest } : null,
    palette: photometric === 3 ? await numbersOf(image.fileDirectory, "ColorMap") : null,
  };
}

/** Refuses a file whose tiles or strips reach beyond its end: libvips would fill them with black. */
async function requireBlocks(
  page: GeoTIFFImage,
  size: number,
  numbers: (image: GeoTIFFImage, name: string) => Promise<number[]>,
  refuse: (what: string) => never,
): Promise<void> {
  for (const kind of ["Tile", "Strip"]) {
    const offsets = await numbers(page, `${kind}Offsets`);
    const lengths = await numbers(page, `${kind}ByteCounts`);
    let end = 0;
    for (let i = 0; i < offsets.length; i++) end = Math.max(end, offsets[i]! + (lengths[i] ?? 1));
    if (end > size) {
      refuse(
        `is incomplete: it ends after ${size} bytes, but its image data reach to byte ${end}. Copy or upload it again`,
      );
    }
  }
}

/** z planes × time points that the metadata declare. */
function declaredPlanes(description: string): number {
  const number = (pattern: RegExp): number => Number(pattern.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=")) {
    return number(/^slices=(\d+)/m) * number(/^frames=(\d+)/m);
  }
  if (!description.includes("<OME")) return 1;
  return number(/\bSizeZ="(\d+)"/) * number(/\bSizeT="(\d+)"/);
}

/**
 * Pages that hold smaller versions. Where `leading` pages are channels, every version must have as many pages of its
 * size, one after the other.
 */
function smallerPages(
  pages: GeoTIFFImage[],
  widthPx: number,
  heightPx: number,
  { samples, leading }: { samples: number; leading: number },
): TiffPage[] {
  const levels: TiffPage[] = [];
  for (let page = leading; page < pages.length;) {
    const [width, height] = [pages[page].getWidth(), pages[page].getHeight()];
    const group = pages.slice(page, page + leading);
    const whole =
      group.length === leading &&
      group.every(
        (other) =>
          other.getWidth() === width &&
          other.getHeight() === height &&
          other.getSamplesPerPixel() === samples,
      );
    if (whole && width < widthPx && sameShape(width, height, widthPx, heightPx)) {
      levels.push({ page, subifd: -1, widthPx: width, heightPx: height });
      page += leading;
    } else {
      page++;
    }
  }
  return levels;
}

async function subIfdLevels(
  tiff: GeoTIFF,
  offsets: readonly number[],
  full: GeoTIFFImage,
): Promise<TiffPage[]> {
  const levels: TiffPage[] = [];
  for (const [subifd, offset] of offsets.entries()) {
    // A level that cannot be read is done without: the full image is there.
    const directory = await tiff.parser.parseFileDirectoryAt(offset).catch(() => null);
    if (!directory) continue;
    const [widthPx = 0] = await numbersOf(directory, "ImageWidth");
    const [heightPx = 0] = await numbersOf(directory, "ImageLength");
    if (
      widthPx > 0 &&
      widthPx < full.getWidth() &&
      sameShape(widthPx, heightPx, full.getWidth(), full.getHeight())
    ) {
      levels.push({ page: 0, subifd, widthPx, heightPx });
    }
  }
  return levels;
}

/** Whether a smaller image shows the same field: both sides shrink alike, to within their rounding. */
function sameShape(width: number, height: number, fullWidth: number, fullHeight: number): boolean {
  const factor = fullWidth / width;
  return Math.abs(height - fullHeight / factor) <= 1 + 0.005 * height;
}

/** Names of channels: from OME-XML, ImageJ's or PerkinElmer's description, or the names of the pages. */
async function channelNames(
  description: string,
  pages: readonly GeoTIFFImage[],
  channels: number,
  tag: (image: GeoTIFFImage, name: string) => Promise<unknown>,
): Promise<string[]> {
  if (description.includes("<OME")) {
    const names = [...description.matchAll(/<Channel\b[^>]*?>/g)].map(
      ([element]) =>
        /\bName="([^"]*)"/.exec(element)?.[1] ?? /\bFluor="([^"]*)"/.exec(element)?.[1],
    );
    if (names.length !== channels || names.every((name) => !name)) return [];
    return names.map((name, i) => plainText(name ?? "") || `Channel ${i + 1}`);
  }
  if (pages.length !== channels || channels < 2) return [];
  const names: string[] = [];
  for (const page of pages) {
    const own = String((await tag(page, "ImageDescription")) ?? "");
    const named =
      /<Name>([^<]*)<\/Name>/.exec(own)?.[1] ?? String((await tag(page, "PageName")) ?? "");
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

/** µm per pixel from resolution tags: unit 2 is inches, 3 is centimetres. */
function resolutionPixelSize(resolution: number[], unit: number): number | null {
  const [numerator, denominator = 1] = resolution;
  if (numerator === undefined || !(numerator > 0) || (unit !== 2 && unit !== 3)) return null;
  return ((unit === 2 ? 25_400 : 10_000) * denominator) / numerator;
}

function plausible(size: number | null): number | null {
  return size !== null && size >= 0.05 && size <= 20 ? size : null;
}
