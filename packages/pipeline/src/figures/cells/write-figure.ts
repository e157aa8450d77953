import { writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { defineTask } from "@stipple/tasks/task";
import { DOTS_PER_INCH, type Figure, jpegOf, svgDocument, svgOf, writePng } from "../figure.ts";
import { INTER } from "../fonts.ts";
import PDFDocument from "pdfkit";
import SVGtoPDF from "svg-to-pdfkit";
import { drawPicture } from "./picture-in-pdf.ts";

/** A figure and the files to write it to. */
export interface FigureFiles {
  name: string;
  figure: Figure;
  png: string;
  svg: string;
  pdf: string;
  /** The PNG for dark mode; null if no page shows the figure. */
  dark: string | null;
}

/** Runs in a worker thread. */
export async function writeFormats(
  _shared: object,
  { name, figure, png, svg, pdf, dark }: FigureFiles,
): Promise<Pick<FigureFiles, "name">> {
  await writePng(png, figure);
  await writeFile(svg, await svgOf(figure));
  await writePdf(pdf, figure);
  if (dark !== null) await writePng(dark, figure, "dark");
  return { name };
}

/**
 * Writes a figure in all its formats and returns its name. The files are local, so only threads on this machine
 * run it.
 */
export const writeFigure = defineTask(
  import.meta.url,
  writeFormats,
  // Runs native code (libvips).
  { isNative: true },
);

const POINTS_PER_INCH = 72;

/**
 * Writes a figure as a one-page PDF at its printed size: shapes stay shapes, and text stays text in the figure's own
 * font.
 */
export async function writePdf(path: string, figure: Figure): Promise<void> {
  const scale = POINTS_PER_INCH / DOTS_PER_INCH;
  const { widthPx: width, heightPx: height } = figure;
  const document = new PDFDocument({
    size: [width * scale, height * scale],
    margin: 0,
    // No time of day, so that equal figures give equal files.
    info: { CreationDate: new Date(0) },
  });
  // From here on, lengths are px of the figure.
  document.scale(scale);
  for (const [name, file] of Object.entries(INTER)) document.registerFont(name, file);
  const written = pipeline(document, createWriteStream(path));
  for (const layer of figure.layers) {
    const shapes = layer.kind === "vector" ? layer.svg : layer.shapes;
    if (shapes !== undefined) {
      SVGtoPDF(document, svgDocument(figure, shapes), 0, 0, {
        width,
        height,
        assumePt: true,
        fontCallback: (_family, bold) => (bold ? "Inter-SemiBold" : "Inter"),
      });
    } else if (layer.kind === "picture") {
      if (layer.channels === 4) drawPicture(document, layer);
      else {
        const size = { width: layer.widthPx, height: layer.heightPx };
        document.image(await jpegOf(layer), layer.x, layer.y, size);
      }
    }
  }
  document.end();
  await written;
}
