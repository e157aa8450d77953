/** The part of svg-to-pdfkit used here; the package has no types. */
declare module "svg-to-pdfkit" {
  export default function SVGtoPDF(
    document: PDFKit.PDFDocument,
    svg: string,
    x: number,
    y: number,
    options: {
      width: number;
      height: number;
      assumePt: boolean;
      fontCallback(family: string, bold: boolean, italic: boolean): string;
    },
  ): void;
}

/** Metrics of the fonts that every PDF reader has. */
declare module "pdfkit/standard-fonts/*" {
  const font: object;
  export default font;
}
