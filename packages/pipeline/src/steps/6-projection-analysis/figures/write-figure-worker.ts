import { writeFile } from "node:fs/promises";
import { svgOf, writePng } from "../../../figures/figure.ts";
import { writePdf } from "../../../figures/pdf.ts";
import type { FigureFiles } from "./write-figure-task.ts";

/** Runs in a worker thread. */
export default async function work(
  _shared: object,
  { name, figure, png, svg, pdf, dark }: FigureFiles,
): Promise<Pick<FigureFiles, "name">> {
  await writePng(png, figure);
  const text = await svgOf(figure);
  await writeFile(svg, text);
  await writePdf(pdf, figure, text);
  if (dark !== null) await writePng(dark, figure, "dark");
  return { name };
}
