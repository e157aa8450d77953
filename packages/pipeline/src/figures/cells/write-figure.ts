import { defineTask } from "@stipple/tasks/task";
import { type Figure, svgOf, writePng } from "../figure.ts";
import { writeFile } from "node:fs/promises";
import { writePdf } from "../pdf.ts";

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
  const text = await svgOf(figure);
  await writeFile(svg, text);
  await writePdf(pdf, figure, text);
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
