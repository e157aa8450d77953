import { defineTask } from "../../../engine/tasks/task.ts";
import type { Figure } from "../../../figures/figure.ts";

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

/**
 * Writes a figure in all its formats and returns its name. The files are local, so only threads on this machine
 * run it.
 */
export const writeFigure = defineTask<object, FigureFiles, Pick<FigureFiles, "name">>(
  "write-figure",
  new URL("./write-figure-worker.ts", import.meta.url),
  // Runs native code (libvips).
  { isNative: true },
);
