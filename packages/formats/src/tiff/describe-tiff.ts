import { open } from "node:fs/promises";
import { sourceOf, TiffDirectories, type ByteSource, CONVERT, refuse } from "./directories.ts";
import { orientationOf, type Orientation } from "./orientation.ts";
import { readShape, requireBlocks } from "./layout.ts";
import {
  channelNames,
  declaredPages,
  declaredPlanes,
  omePixelSize,
  partOfImage,
  plausible,
  resolutionPixelSize,
} from "./metadata.ts";
import { mainPage, smallerVersions, unusedPages, type MainPage, type TiffPage } from "./pages.ts";
import { isTransparency, storedNumbers, type StoredNumbers } from "./stored-numbers.ts";

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

/** Maximum number of pages that may be channels. */
const MAX_CHANNELS = 512;
/**
 * Reads a TIFF's directories (never its pixels) and returns how to read it. Throws {@link TiffFault}.
 * The largest page is the image, wherever it is; gray pages of its size are channels, smaller ones with its aspect
 * ratio are pyramid levels, and others (labels, macros) are not used. With `unpackHere`, numbers are unpacked without libvips wherever
 * possible. O(tiles), because every tile must lie inside the file.
 */
export async function describeTiff(
  path: string,
  { unpackHere = false } = {},
): Promise<TiffDescription> {
  await using handle = await open(path, "r");
  return await describe(await sourceOf(handle), unpackHere);
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
  const whole = await images[0].text("ImageDescription");
  const description = whole.includes("<OME")
    ? partOfImage(whole, shape)
    : await main.directory.text("ImageDescription");
  requireOnePlane(description, images.length);
  const isGray = !color && samples === 1 && main.subifd < 0;
  const channelPages = isGray ? channelPagesOf(main, description) : [main.page];
  const channelsAsPages = channelPages.length > 1;
  if (channelPages.length > MAX_CHANNELS) {
    refuse(
      `has ${channelPages.length} channels; at most ${MAX_CHANNELS} can be read. Save fewer channels and try again`,
    );
  }
  const isAlpha = isTransparency(await main.directory.numbers("ExtraSamples"));
  const grayAlpha = !color && samples === 2 && isAlpha;
  const perPixel = color ? 3 : grayAlpha ? 1 : samples;
  const channels = channelsAsPages ? channelPages.length : perPixel;

  const leading = channelsAsPages ? channelPages.map((page) => images[page]) : [main.directory];
  await requireBlocks(leading, source.size);

  const levels = await smallerVersions(directories, main, {
    full: shape,
    channelPages,
    stored,
    unpackHere,
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

/** Rejects stacks, of which no plane is the image. */
function requireOnePlane(description: string, images: number): void {
  const planes = declaredPlanes(description);
  if (planes > 1) {
    refuse(
      `is a stack of ${planes} planes or time points. Save one plane (or a projection) with its channels and try again`,
    );
  }
  const declared = Number(/^images=(\d+)/m.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=") && declared > images) {
    refuse(
      `is an ImageJ file that lists ${declared} images but describes only ${images}. Save it as OME-TIFF and try again`,
    );
  }
}

/** Gray pages of the main page's size are its channels; of those, OME metadata may list only some. */
function channelPagesOf({ page, sizes, others }: MainPage, description: string): number[] {
  const { widthPx, heightPx } = sizes[page];
  const alike = [...sizes.keys()].filter((at) => {
    const size = sizes[at];
    const same = size.widthPx === widthPx && size.heightPx === heightPx && size.samples === 1;
    return same && !others.has(at);
  });
  const declared = declaredPages(description);
  if (declared === null || declared.count >= alike.length) return alike;
  const own = alike.filter((at) => at >= declared.first).slice(0, declared.count);
  return own.length === declared.count ? own : alike;
}
