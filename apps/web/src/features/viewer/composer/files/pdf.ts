import * as pdfkit from "pdfkit";
import Helvetica from "pdfkit/standard-fonts/Helvetica";
import HelveticaBold from "pdfkit/standard-fonts/HelveticaBold";
import TimesBold from "pdfkit/standard-fonts/TimesBold";
import TimesRoman from "pdfkit/standard-fonts/TimesRoman";
import SVGtoPDF from "svg-to-pdfkit";
import type { PaperFigure } from "../figures.ts";
import { PT_PER_MM } from "../page/layout.ts";
import { pdfFonts } from "./fonts.ts";
import { withPicturedText } from "./pictured-text.ts";

/** As pdfkit is in browsers; its types are those of Node. */
const { PDFDocument, registerStdFonts } = pdfkit as unknown as {
  PDFDocument: PDFKit.PDFDocument;
  registerStdFonts: (...fonts: readonly object[]) => void;
};

/** Fonts of PDF itself, which every reader has; Inter is in the file. */
const BUILT_IN = {
  Helvetica: ["Helvetica", "Helvetica-Bold"],
  Times: ["Times-Roman", "Times-Bold"],
} as const;
/** What the fonts of PDF itself can write: Windows-1252. */
const WRITABLE =
  /^[\u0020-\u007e\u00a0-\u00ff\u20ac\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u017e\u0178]*$/;

/** A page as PDF of its exact size: shapes stay shapes, and text stays text where Inter has its letters. */
export async function pdfFile(
  { name, font, widthMm, heightMm }: PaperFigure,
  svg: string,
): Promise<Blob> {
  const [width, height] = [widthMm * PT_PER_MM, heightMm * PT_PER_MM];
  const { regular, bold } = await pdfFonts();
  registerStdFonts(Helvetica, HelveticaBold, TimesRoman, TimesBold);
  const document = new PDFDocument({ size: [width, height], margin: 0, info: { Title: name } });
  document.registerFont("Inter", regular);
  document.registerFont("Inter-Bold", bold);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  document.on("data", (part: Uint8Array<ArrayBuffer>) => parts.push(part));
  const written = new Promise<void>((resolve, reject) => {
    document.on("end", resolve);
    document.on("error", reject);
  });
  const inter = ["Inter", "Inter-Bold"] as const;
  // In points, which are also the units of what is in it.
  const sized = svg.replace(
    /width="[^"]*mm" height="[^"]*mm"/,
    `width="${width}" height="${height}"`,
  );
  const drawing = withPicturedText(sized, writableIn(document.font("Inter")));
  SVGtoPDF(document, dotsAsPaths(font === "Inter" ? drawing : withFallback(drawing)), 0, 0, {
    width,
    height,
    assumePt: true,
    fontCallback: (family, isBold) => {
      const names = font === "Inter" || family === FALLBACK ? inter : BUILT_IN[font];
      return names[isBold ? 1 : 0];
    },
  });
  document.end();
  await written;
  return new Blob(parts, { type: "application/pdf" });
}

/** Whether the font of a document has the letters of a text. */
function writableIn(document: PDFKit.PDFDocument): (text: string) => boolean {
  const { font } = (document as unknown as { _font: { font: LetterFont } })._font;
  const lacking = (letter: string): boolean => !font.hasGlyphForCodePoint(letter.codePointAt(0)!);
  return (text) => ![...new Set(text)].some((letter) => letter > " " && lacking(letter));
}

/** What pdfkit keeps of a font, of which its types say nothing. */
interface LetterFont {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Dots of one color as one path of curves, which svg-to-pdfkit draws in a third of the time of circles. */
function dotsAsPaths(svg: string): string {
  return svg.replaceAll(/(?:<circle cx="[^"]*" cy="[^"]*" r="[^"]*"\/>){2,}/g, (circles) => {
    const path = [...circles.matchAll(/cx="([^"]*)" cy="([^"]*)" r="([^"]*)"/g)].map((found) =>
      circlePath(...(found.slice(1).map(Number) as [number, number, number])),
    );
    return `<path d="${path.join("")}"/>`;
  });
}

/** Four curves, off a circle by at most 0.03% of its radius. */
function circlePath(x: number, y: number, r: number): string {
  const k = 0.5523 * r;
  const at = (dx: number, dy: number) => `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)} `;
  const curves = [
    at(-r, -k) + at(-k, -r) + at(0, -r),
    at(k, -r) + at(r, -k) + at(r, 0),
    at(r, k) + at(k, r) + at(0, r),
    at(-k, r) + at(-r, k) + at(-r, 0),
  ];
  return `M${at(-r, 0)}C${curves.join("")}Z`;
}

const FALLBACK = "Inter";

/** The drawing with Inter where a font of PDF itself has no sign for a letter. */
function withFallback(svg: string): string {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  for (const text of parsed.querySelectorAll("text, tspan")) {
    if (!WRITABLE.test(text.textContent)) text.setAttribute("font-family", FALLBACK);
  }
  return new XMLSerializer().serializeToString(parsed);
}
