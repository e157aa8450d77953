import { TiffFault, type TiffDirectories, type TiffDirectory } from "./directories.ts";
import { readShape, type TiffShape } from "./layout.ts";
import { storedNumbers, type StoredNumbers } from "./stored-numbers.ts";

/** One image of a TIFF file, as addressed in libvips: its page, or for channels on pages of their own each one's. */
export interface TiffPage {
  pages: readonly number[];
  /** Index among the SubIFDs of the page; -1 for the page itself. */
  subifd: number;
  widthPx: number;
  heightPx: number;
}

export interface PageSize {
  widthPx: number;
  heightPx: number;
  samples: number;
  /** Flags: 1 = a reduced version, 4 = a transparency mask. */
  subfile: number;
}

/** The page that is the image, and the sizes of all pages. */
export interface MainPage {
  directory: TiffDirectory;
  page: number;
  subifd: number;
  sizes: PageSize[];
  /** Pages that show something else, by page: "label" or "macro". */
  others: Map<number, string>;
}

/** Maximum number of smaller versions considered. */
const MAX_LEVELS = 64;
/** Scanners start the description of the slide's label or overview with this, Aperio after its own first line. */
const OTHER_PICTURE = /^(?:Aperio[^\n]*\n)?\s*(label|macro|thumbnail)\b/i;
const LONGEST_TITLE = 4096;
const MASK = 4;

/** A page's size; 0 for a damaged page. */
async function sizeOf(page: TiffDirectory): Promise<PageSize> {
  const number = async (
    tag: "ImageWidth" | "ImageLength" | "SamplesPerPixel" | "NewSubfileType",
    otherwise: number,
  ): Promise<number> => (await page.numbers(tag, 1))[0] ?? otherwise;
  return {
    widthPx: await number("ImageWidth", 0),
    heightPx: await number("ImageLength", 0),
    samples: await number("SamplesPerPixel", 1),
    subfile: await number("NewSubfileType", 0),
  };
}

function area({ widthPx, heightPx }: { widthPx: number; heightPx: number }): number {
  return widthPx * heightPx;
}

/**
 * The largest page of a file, or the larger image among a page's SubIFDs; the first of several of that size.
 * Masks and pictures of the label or the whole slide count only if there is nothing else. O(pages).
 */
export async function mainPage(directories: TiffDirectories, size: number): Promise<MainPage> {
  const { images } = directories;
  const sizes = await Promise.all(images.map(sizeOf));
  const others = new Map<number, string>();
  for (const [page, image] of images.entries()) {
    if (images.length === 1) break;
    const title = OTHER_PICTURE.exec(await image.text("ImageDescription", LONGEST_TITLE))?.[1];
    if (title !== undefined) others.set(page, title.toLowerCase());
    else if (sizes[page].subfile & MASK) others.set(page, "mask");
  }
  const proper = [...images.keys()].filter((page) => !others.has(page));
  const candidates = proper.length > 0 ? proper : [...images.keys()];
  const page = candidates.reduce((best, next) =>
    area(sizes[next]) > area(sizes[best]) ? next : best,
  );
  const main: MainPage = { directory: images[page], page, subifd: -1, sizes, others };
  let largest = area(sizes[page]);
  for (const candidate of candidates.slice(0, MAX_LEVELS)) {
    for (const { directory, subifd } of await subIfdsOf(directories, candidate, size)) {
      const inside = area(await sizeOf(directory));
      if (inside <= largest) continue;
      largest = inside;
      Object.assign(main, { directory, page: candidate, subifd });
    }
  }
  return main;
}

/** The directories that a page lists as its SubIFDs; those that cannot be read are left out. */
async function subIfdsOf(
  directories: TiffDirectories,
  page: number,
  size: number,
): Promise<{ directory: TiffDirectory; subifd: number }[]> {
  const found: { directory: TiffDirectory; subifd: number }[] = [];
  const offsets = await directories.images[page].numbers("SubIFDs", MAX_LEVELS);
  for (const [subifd, offset] of offsets.entries()) {
    if (offset <= 0 || offset >= size) continue;
    const directory = await directories.at(offset).catch((error: unknown) => {
      if (error instanceof TiffFault) return null;
      throw error;
    });
    if (directory) found.push({ directory, subifd });
  }
  return found;
}

/** The image whose smaller versions are wanted, and how it is read. */
interface FullImage {
  full: TiffShape;
  channelPages: readonly number[];
  stored: StoredNumbers | null;
  unpackHere: boolean;
  /** Bytes of the file. */
  size: number;
}

/**
 * Smaller versions of the image, largest first: pages of its shape, as many of one size as the image has channel
 * pages, or else the main page's SubIFDs.
 */
export async function smallerVersions(
  directories: TiffDirectories,
  { page, subifd, sizes, others }: MainPage,
  image: FullImage,
): Promise<TiffPage[]> {
  const { full, channelPages, size } = image;
  const bySize = new Map<string, number[]>();
  for (const [at, { widthPx, heightPx, samples }] of sizes.entries()) {
    if (others.has(at) || channelPages.includes(at)) continue;
    if (widthPx >= full.widthPx || samples !== full.samples) continue;
    if (!sameShape(widthPx, heightPx, full.widthPx, full.heightPx)) continue;
    const key = `${widthPx} ${heightPx}`;
    bySize.set(key, [...(bySize.get(key) ?? []), at]);
  }
  const levels: TiffPage[] = [];
  for (const pages of [...bySize.values()].slice(0, MAX_LEVELS)) {
    const group = channelPages.length > 1 ? pages : pages.slice(0, 1);
    if (group.length !== channelPages.length) continue;
    const levelPages = group.map((at) => directories.images[at]);
    if (!(await canBeRead(levelPages, image))) continue;
    const { widthPx, heightPx } = sizes[group[0]];
    levels.push({ pages: group, subifd: -1, widthPx, heightPx });
  }
  if (levels.length === 0) {
    for (const { directory, subifd: at } of await subIfdsOf(directories, page, size)) {
      if (at === subifd || !(await canBeRead([directory], image))) continue;
      const { widthPx, heightPx } = await readShape(directory);
      if (widthPx < full.widthPx && sameShape(widthPx, heightPx, full.widthPx, full.heightPx)) {
        levels.push({ pages: channelPages, subifd: at, widthPx, heightPx });
      }
    }
  }
  return levels.sort((a, b) => b.widthPx - a.widthPx);
}

/** A level that cannot be read as the full image is, is ignored, since that one is available. */
async function canBeRead(
  pages: readonly TiffDirectory[],
  { full, stored, unpackHere }: FullImage,
): Promise<boolean> {
  try {
    for (const page of pages) {
      const shape = await readShape(page);
      if (shape.samples !== full.samples || shape.bits !== full.bits) return false;
      const [photometric = 1] = await page.numbers("PhotometricInterpretation", 1);
      const numbers = await storedNumbers(page, shape, { photometric, unpackHere });
      // libvips leaves what it cannot unpack black, without an error.
      if ((numbers === null) !== (stored === null)) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof TiffFault) return false;
    throw error;
  }
}

/** Whether a smaller image shows the same field: both sides shrink equally, to within rounding. */
function sameShape(width: number, height: number, fullWidth: number, fullHeight: number): boolean {
  const factor = fullWidth / width;
  return Math.abs(height - fullHeight / factor) <= 1 + 0.005 * height;
}

/** The pages that are neither the image nor a smaller version of it, in words: "page 1 (label, 387 × 463 px)". */
export function unusedPages(
  { page, sizes, others }: MainPage,
  used: readonly (readonly number[])[],
): string[] {
  const taken = new Set([page, ...used.flat()]);
  return [...sizes.entries()]
    .filter(([at]) => !taken.has(at))
    .map(([at, { widthPx, heightPx }]) => {
      const what = others.get(at);
      return `page ${at + 1} (${what === undefined ? "" : `${what}, `}${widthPx} × ${heightPx} px)`;
    });
}
