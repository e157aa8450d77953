import { csvText } from "@stipple/contract/csv";
import { csvFile, csvNumber } from "../../selection/export/csv.ts";

/** Text is left-aligned, numbers right-aligned. Clicking a gene colors the cells by it. */
type ColumnKind = "text" | "gene" | "number";

/** The numbers behind a drawing. */
export interface DataTable {
  columns: readonly { name: string; kind: ColumnKind }[];
  /** In the order of `columns`; null = no value. */
  rows: readonly (readonly (string | number | null)[])[];
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
  const field = (value: string | number | null): string =>
    typeof value === "string" ? csvText(value) : csvNumber(value ?? Number.NaN);
  return csvFile(
    columns.map(({ name }) => name),
    rows.length,
    (at) => rows[at]!.map(field),
  );
}
