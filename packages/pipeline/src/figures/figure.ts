import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import sharp, { type Sharp } from "sharp";
import { loadFigureFonts } from "./fonts.ts";
import type { FigureParts } from "@stipple/contract/figure-parts";
import { describeParts } from "./figure-parts.ts";
import { round } from "./svg.ts";

/** A picture with or without straight alpha (4 or 3 channels), placed with its top left corner at (x, y). */
export interface PictureLayer {
  kind: "picture";
  x: number;
  y: number;
  widthPx: number;
  heightPx: number;
  channels: 3 | 4;
  pixels: Uint8Array;
  /** The content as shapes, for the SVG file of a figure with few shapes. */
  shapes?: string | undefined;
}

/** Lines, areas, and text, in the figure's pixels. */
export interface VectorLayer {
  kind: "vector";
  svg: string;
}

/** A figure on white: its layers from bottom to top. */
export interface Figure {
  widthPx: number;
  heightPx: number;
  layers: (PictureLayer | VectorLayer)[];
  /** Its PNG says where they are. */
  parts?: FigureParts;
}

/** Print resolution for journals. */
export const DOTS_PER_INCH = 300;

/** Colors around the pictures of a figure: white for papers, dark for dark pages. */
const THEMES = {
  light: { ground: "#ffffff", inks: {} },
  dark: {
    ground: "#121a24",
    inks: { "#0f1b2a": "#e6edf5", "#46566a": "#a9b8c8", "#ffffff": "#121a24" },
  },
} as const satisfies Record<string, { ground: string; inks: Record<string, string> }>;

/** Lines and text in another theme's colors. */
function inTheme(svg: string, inks: Record<string, string>): string {
  return svg.replace(/#[0-9a-f]{6}\b/g, (color) => inks[color] ?? color);
}

/** Writes a figure as PNG; creates folders as needed. */
export async function writePng(
  path: string,
  figure: Figure,
  theme: keyof typeof THEMES = "light",
): Promise<void> {
  const { ground, inks } = THEMES[theme];
  await loadFigureFonts();
  await mkdir(dirname(path), { recursive: true });
  const { widthPx, heightPx } = figure;
  const composite = mergePictures(figure.layers).map((layer) =>
    layer.kind === "picture"
      ? {
          input: Buffer.from(layer.pixels.buffer, layer.pixels.byteOffset, layer.pixels.byteLength),
          raw: { width: layer.widthPx, height: layer.heightPx, channels: layer.channels },
          left: layer.x,
          top: layer.y,
        }
      : { input: Buffer.from(svgDocument(figure, inTheme(layer.svg, inks))), left: 0, top: 0 },
  );
  await sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: ground } })
    .composite(composite)
    .removeAlpha()
    .withMetadata({
      density: DOTS_PER_INCH,
      ...(figure.parts && { exif: { IFD0: { ImageDescription: describeParts(figure.parts) } } }),
    })
    // A photograph of tissue is a third smaller with filters chosen per row; flat figures get larger. The highest level
    // would take 50% longer for a thirtieth of the size.
    .png({ compressionLevel: 3, adaptiveFiltering: figure.layers.some(isPhotograph) })
    .toFile(path);
}

/** Merges pictures that cover each other exactly: the library takes ten times as long to compose whole figures. */
function mergePictures(layers: Figure["layers"]): Figure["layers"] {
  const merged: Figure["layers"] = [];
  for (const layer of layers) {
    const below = merged.at(-1);
    if (below?.kind === "picture" && layer.kind === "picture" && canMerge(below, layer)) {
      merged[merged.length - 1] = { ...below, pixels: painted(below.pixels, layer.pixels) };
    } else merged.push(layer);
  }
  return merged;
}

function canMerge(below: PictureLayer, above: PictureLayer): boolean {
  const hasSamePlace = below.x === above.x && below.y === above.y;
  const hasSameSize = below.widthPx === above.widthPx && below.heightPx === above.heightPx;
  return hasSamePlace && hasSameSize && below.channels === 3 && above.channels === 4;
}

/** RGB8 with RGBA8 of the same size painted over it. */
function painted(rgb: Uint8Array, rgba: Uint8Array): Uint8Array {
  const result = rgb.slice();
  for (let from = 0, to = 0; to < result.length; from += 4, to += 3) {
    const alpha = rgba[from + 3];
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      const below = result[to + channel];
      result[to + channel] = Math.round(below + ((rgba[from + channel] - below) * alpha) / 255);
    }
  }
  return result;
}

function isPhotograph(layer: PictureLayer | VectorLayer): boolean {
  return layer.kind === "picture" && layer.channels === 3;
}

/** A figure as SVG of its printed size: shapes and text stay editable, pictures are embedded. */
export async function svgOf(figure: Figure): Promise<string> {
  const parts: string[] = [`<rect width="100%" height="100%" fill="#ffffff"/>`];
  for (const layer of figure.layers) {
    if (layer.kind === "vector") parts.push(layer.svg);
    else if (layer.shapes !== undefined) parts.push(layer.shapes);
    else parts.push(await embeddedPicture(layer));
  }
  return svgDocument(figure, parts.join("\n"), (px) => `${round((25.4 * px) / DOTS_PER_INCH)}mm`);
}

/** With a link of SVG 1.1: Illustrator shows no picture with one of SVG 2. */
async function embeddedPicture(layer: PictureLayer): Promise<string> {
  const [type, bytes] =
    layer.channels === 4
      ? ["png", await imageOf(layer).png().toBuffer()]
      : ["jpeg", await jpegOf(layer)];
  return `<image x="${layer.x}" y="${layer.y}" width="${layer.widthPx}" height="${layer.heightPx}" xlink:href="data:image/${type};base64,${bytes.toString("base64")}"/>`;
}

/** A picture without alpha as embedded in SVG and PDF. */
export function jpegOf(layer: PictureLayer): Promise<Buffer> {
  return imageOf(layer).jpeg({ quality: 88 }).toBuffer();
}

function imageOf({ pixels, widthPx, heightPx, channels }: PictureLayer): Sharp {
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels } });
}

/** Shapes and text of a figure as SVG; `lengthOf`: its width and height in another unit. */
export function svgDocument(
  { widthPx, heightPx }: Figure,
  content: string,
  lengthOf: (px: number) => string = String,
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${lengthOf(widthPx)}" height="${lengthOf(heightPx)}" viewBox="0 0 ${widthPx} ${heightPx}">\n${content}\n</svg>\n`;
}
