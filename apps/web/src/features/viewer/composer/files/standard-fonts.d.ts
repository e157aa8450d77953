/** Metrics of the fonts that every PDF reader has. */
declare module "pdfkit/standard-fonts/*" {
  const font: object;
  export default font;
}
