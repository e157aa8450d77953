import type { DataTable } from "./data-table.ts";
import type { LegendPart } from "./legend.ts";
import type { Ground } from "../../../../components/use-ground.ts";

/** A drawing and everything that goes with it on the page, in files, and for screen readers. */
export interface Figure {
  title: string;
  /** The values and cells it shows, in one line. */
  subtitle: string;
  /** What it shows, in one to three sentences. */
  summary: string;
  /** Redraws it `width` px wide. Marks whose datum has a gene respond to clicks. */
  draw: (width: number, ground: Ground) => SVGSVGElement;
  /** Below this width in px it scrolls rather than shrinks. */
  leastWidth: number;
  legend: readonly LegendPart[];
  table: DataTable;
}
