import type { TiffDirectory } from "./directories.ts";

const LONGEST_PAGE_TEXT = 2 ** 20;

/**
 * The part of an image description that is about the image of this size: of an OME file with several images (a
 * label, an overview, the scan), the element of that image; otherwise the whole text. O(length).
 */
export function partOfImage(
  description: string,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): string {
  if (!description.includes("<OME")) return description;
  const images = description.split(/(?=<Image\b)/).slice(1);
  const own = images.find((image) => {
    const pixels = /<Pixels\b[^<>]*>/.exec(image)?.[0] ?? "";
    return (
      Number(/\bSizeX="(\d+)"/.exec(pixels)?.[1]) === widthPx &&
      Number(/\bSizeY="(\d+)"/.exec(pixels)?.[1]) === heightPx
    );
  });
  return images.length > 1 && own !== undefined ? `<OME>${own}` : description;
}

/** z planes × time points declared in the metadata. */
export function declaredPlanes(description: string): number {
  const number = (pattern: RegExp): number => Number(pattern.exec(description)?.[1] ?? 1);
  if (description.startsWith("ImageJ=")) {
    return number(/^slices=(\d+)/m) * number(/^frames=(\d+)/m);
  }
  if (!description.includes("<OME")) return 1;
  return number(/\bSizeZ="(\d+)"/) * number(/\bSizeT="(\d+)"/);
}

/** The pages that OME metadata assign to an image with one page per channel; null if they do not say. */
export function declaredPages(description: string): { first: number; count: number } | null {
  if (!description.startsWith("<OME>")) return null;
  const count = Number(/\bSizeC="(\d+)"/.exec(description)?.[1]);
  const first = Number(/<TiffData\b[^<>]*\bIFD="(\d+)"/.exec(description)?.[1]);
  return Number.isInteger(first) && count > 0 ? { first, count } : null;
}

/** Channel names: from OME-XML, from ImageJ's or PerkinElmer's description, or from the page names. */
export async function channelNames(
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
    .replace(
      /&(#\d{1,6}|#x[\da-fA-F]{1,5}|amp|lt|gt|quot|apos);/g,
      (_, name: string) =>
        ENTITIES[name] ?? String.fromCodePoint(Number(name.slice(1).replace("x", "0x"))),
    )
    .replace(/\0/g, "")
    .trim();
}

const UNIT_UM: Record<string, number> = { µm: 1, um: 1, nm: 1e-3, mm: 1e3, cm: 1e4, m: 1e6 };

/** µm per pixel from an OME-XML description; null if it states none, NaN if its unit is unknown. */
export function omePixelSize(description: string): number | null {
  const size = /\bPhysicalSizeX="([^"]+)"/.exec(description)?.[1];
  if (size === undefined) return null;
  const unit = /\bPhysicalSizeXUnit="([^"]+)"/.exec(description)?.[1] ?? "µm";
  return Number(size) * (UNIT_UM[plainText(unit).replace("μ", "µ")] ?? Number.NaN);
}

/** µm per pixel from resolution tags: unit 2 is inches, 3 is centimeters. */
export function resolutionPixelSize(resolution: number[], unit: number): number | null {
  const [numerator, denominator = 1] = resolution;
  if (numerator === undefined || !(numerator > 0) || (unit !== 2 && unit !== 3)) return null;
  return ((unit === 2 ? 25_400 : 10_000) * denominator) / numerator;
}

/** A size that a microscope image can have (0.05 to 20 µm per pixel), otherwise null: many programs write a default, such as 72 dpi. */
export function plausible(size: number | null): number | null {
  return size !== null && size >= 0.05 && size <= 20 ? size : null;
}
