import { defineTask } from "../../../engine/tasks/task.ts";
import type { Figure } from "../../../figures/figure.ts";

/** A figure and the files that it is written to. */
export interface FigureFiles {
  name: string;
  figure: Figure;
  png: string;
  svg: string;
  pdf: string;
  /** The PNG for pages that are dark; null where none shows the figure. */
  dark: string | null;
}

/** Writes a figure in all its formats and gives back its name. Its files lie on this machine: only threads here do it. */
export const writeFigure = defineTask<object, FigureFiles, Pick<FigureFiles, "name">>(
  "write-figure",
  new URL("./write-figure-worker.ts", import.meta.url),
  // libvips'.
  { isNative: true },
);
