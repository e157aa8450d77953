import type { DataTable } from "./data-table.ts";
import type { LegendPart } from "./legend.ts";
import type { Ground } from "../../../../components/use-ground.ts";

/** A drawing with all that belongs to it: on the page, in files and for those who cannot see it. */
export interface Figure {
  title: string;
  /** From which values and cells it was made: one line. */
  subtitle: string;
  /** What it shows, in one to three sentences. */
  summary: string;
  /** Draws it again, `width` px wide. Marks that carry an object's gene, when one is given, answer clicks. */
  draw: (width: number, ground: Ground) => SVGSVGElement;
  /** Below this many px it is scrolled rather than squeezed. */
  leastWidth: number;
  legend: readonly LegendPart[];
  table: DataTable;
}
