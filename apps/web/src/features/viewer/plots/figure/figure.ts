import type { LegendPart } from "./legend.ts";
import type { Ground } from "../../../../components/use-ground.ts";
import { csvFile, type CsvValue } from "../../selection/export/csv.ts";

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
  minWidth: number;
  legend: readonly LegendPart[];
  table: DataTable;
}

/** Text is left-aligned, numbers right-aligned. Clicking a gene colors the cells by it. */
type ColumnKind = "text" | "gene" | "number";

/** The numbers behind a drawing. */
export interface DataTable {
  columns: readonly { name: string; kind: ColumnKind }[];
  /** In the order of `columns`; null = no value. */
  rows: readonly (readonly CsvValue[])[];
}

/** Columns of numbers, but for those given by their place. */
export function columnsOf(
  names: readonly string[],
  kinds: Readonly<Record<number, ColumnKind>>,
): DataTable["columns"] {
  return names.map((name, at) => ({ name, kind: kinds[at] ?? "number" }));
}

/** The whole table as a CSV file; missing values become empty fields. */
export function tableFile({ columns, rows }: DataTable): Promise<Blob> {
  return csvFile(
    columns.map(({ name }) => name),
    rows.length,
    (at) => rows[at]!,
  );
}
