import { basename } from "node:path";
import { stat } from "node:fs/promises";
import { fromFile, type GeoTIFF, type GeoTIFFImage } from "geotiff";
import sharp from "sharp";
import { InputError } from "../../errors.ts";

/** One image of a TIFF file, as libvips addresses it. */
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
  micronsPerPixel: number | null;
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
 * are left out. O(tiles), because every tile must lie inside the file.
 */
export async function describeTiff(path: string): Promise<TiffDescription> {
  const file = basename(path);
  const refuse = (what: string, cause?: unknown): never => {
    throw new InputError(`${file} ${what}.`, { file, cause });
  };
  let tiff: GeoTIFF;
  let first: GeoTIFFImage;
  let pages: GeoTIFFImage[];
  try {
    tiff = await fromFile(path);
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
    const numbers = async (image: GeoTIFFImage, name: string): Promise<number[]> => {
      const value = await tag(image, name);
      if (value === undefined || value === null) return [];
      return typeof value === "number" || typeof value === "bigint"
        ? [Number(value)]
        : Array.from(value as ArrayLike<number | bigint>, Number);
    };

    const widthPx = first.getWidth();
    const heightPx = first.getHeight();
    if (!(widthPx > 0 && heightPx > 0)) return refuse("has no pixels");
    const samples = first.getSamplesPerPixel();
    const bits = await numbers(first, "BitsPerSample");
    const bitsPerSample = bits[0] ?? 1;
    const formats = await numbers(first, "SampleFormat");
    const [compression = 1] = await numbers(first, "Compression");
    const [photometric = 1] = await numbers(first, "PhotometricInterpretation");

    if (!READABLE_COMPRESSION.has(compression)) {
      const name = COMPRESSION_NAMES[compression] ?? `number ${compression}`;
      refuse(
        `uses ${name} compression, which is not supported. Save it with LZW, Deflate or JPEG compression and try again`,
      );
    }
    if (formats.some((format) => format !== 1)) {
      const name = formats.includes(3) ? "floating-point" : formats.includes(2) ? "signed" : "odd";
      refuse(`stores ${name} pixel values, which are not supported: ${CONVERT}`);
    }
    if (bits.some((b) => b !== bitsPerSample) || ![1, 2, 4, 8, 16].includes(bitsPerSample)) {
      refuse(`stores ${bits.join("/")} bits a sample, which is not supported: ${CONVERT}`);
    }
    if (![0, 1, 2, 3, 6].includes(photometric)) {
      const name = photometric === 5 ? "CMYK" : photometric === 8 ? "Lab" : `type ${photometric}`;
      refuse(`stores its colours as ${name}, which is not supported: ${CONVERT}`);
    }
    const colour = photometric === 2 || photometric === 6 || photometric === 3;
    if (colour && samples > 4) refuse(`has ${samples} samples a pixel in colour mode: ${CONVERT}`);
    if (photometric === 2 && samples < 3)
      refuse(`is marked RGB but has ${samples} samples a pixel`);

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
    const isAlpha = extra.length === 1 && (extra[0] === 1 || extra[0] === 2);
    const grayAlpha = !colour && samples === 2 && isAlpha;
    const perPixel = colour ? 3 : grayAlpha ? 1 : samples;
    const channels = channelsAsPages ? leading : perPixel;

    const { size } = await stat(path);
    for (const page of pages.slice(0, leading)) await requireBlocks(page, size, numbers, refuse);

    const levels = channelsAsPages ? [] : smallerPages(pages, widthPx, heightPx, samples);
    if (!channelsAsPages && levels.length === 0) {
      const nSubIfds = (await numbers(first, "SubIFDs")).length;
      levels.push(...(await subIfdLevels(path, nSubIfds, widthPx, heightPx)));
    }
    levels.sort((a, b) => b.widthPx - a.widthPx);
    return {
      kind: colour ? "rgb" : channels === 1 ? "gray" : "channels",
      widthPx,
      heightPx,
      channels,
      channelNames: channelNames(description, channels),
      bitsPerSample,
      tiled: (await numbers(first, "TileWidth")).length > 0,
      alpha:
        (colour && samples === 4) || grayAlpha ? (isAlpha ? "transparency" : "ignored") : "none",
      channelsAsPages,
      levels,
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

function smallerPages(
  pages: GeoTIFFImage[],
  widthPx: number,
  heightPx: number,
  samples: number,
): TiffPage[] {
  return pages
    .map((page, index) => ({
      page: index,
      subifd: -1,
      widthPx: page.getWidth(),
      heightPx: page.getHeight(),
      samples: page.getSamplesPerPixel(),
    }))
    .filter(
      (level) =>
        level.widthPx < widthPx &&
        level.samples === samples &&
        sameShape(level.widthPx, level.heightPx, widthPx, heightPx),
    )
    .map(({ samples: _samples, ...level }) => level);
}

async function subIfdLevels(
  path: string,
  count: number,
  widthPx: number,
  heightPx: number,
): Promise<TiffPage[]> {
  const levels: TiffPage[] = [];
  for (let subifd = 0; subifd < count; subifd++) {
    const options = { limitInputPixels: false, page: 0, subifd };
    // A level that cannot be read is done without: the full image is there.
    const size = await sharp(path, options)
      .metadata()
      .catch(() => null);
    if (size && size.width < widthPx && sameShape(size.width, size.height, widthPx, heightPx)) {
      levels.push({ page: 0, subifd, widthPx: size.width, heightPx: size.height });
    }
  }
  return levels;
}

/** Whether a smaller image shows the same field: both sides shrink alike, to within their rounding. */
function sameShape(width: number, height: number, fullWidth: number, fullHeight: number): boolean {
  const factor = fullWidth / width;
  return Math.abs(height - fullHeight / factor) <= 1 + 0.005 * height;
}

function channelNames(description: string, channels: number): string[] {
  if (!description.includes("<OME")) return [];
  const names = [...description.matchAll(/<Channel\b[^>]*?\bName="([^"]*)"/g)].map(
    (match) => match[1]!,
  );
  return names.length === channels ? names : [];
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
