import { createRequire } from "node:module";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import PDFDocument from "pdfkit";
import SVGtoPDF from "svg-to-pdfkit";
import { DOTS_PER_INCH, svgOf, type Figure } from "./figure.ts";

const require = createRequire(import.meta.url);
const POINTS_PER_INCH = 72;

/**
 * Writes a figure as a one-page PDF at its printed size: shapes stay shapes, and text stays text in the figure's own
 * font. `svg`: the result of `svgOf`, if already computed.
 */
export async function writePdf(path: string, figure: Figure, svg?: string): Promise<void> {
  const scale = POINTS_PER_INCH / DOTS_PER_INCH;
  const [width, height] = [figure.widthPx * scale, figure.heightPx * scale];
  const document = new PDFDocument({
    size: [width, height],
    margin: 0,
    // No time of day, so that equal figures give equal files.
    info: { CreationDate: new Date(0) },
  });
  document.registerFont(
    "Inter",
    require.resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  );
  document.registerFont(
    "Inter-SemiBold",
    require.resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
  );
  const written = pipeline(document, createWriteStream(path));
  SVGtoPDF(document, svg ?? (await svgOf(figure)), 0, 0, {
    width,
    height,
    assumePt: false,
    fontCallback: (_family, bold) => (bold ? "Inter-SemiBold" : "Inter"),
  });
  document.end();
  await written;
}
