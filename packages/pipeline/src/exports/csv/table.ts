import { csvText } from "@stipple/contract/csv";
import { writePieces } from "../write-lines.ts";

/** What a table has in a place: text is quoted where needed; a number that is not finite is left empty. */
export type Cell = string | number | boolean;

/** Writes a table as CSV, row by row. */
export function writeTable(
  path: string,
  head: readonly string[],
  rows: Iterable<readonly Cell[]>,
  signal?: AbortSignal,
): Promise<void> {
  return writePieces(path, tableLines(head, rows), signal);
}

/** The lines of a CSV table, each with its line break. */
export function* tableLines(
  head: readonly string[],
  rows: Iterable<readonly Cell[]>,
): Generator<string> {
  yield `${head.map(csvText).join()}\n`;
  for (const row of rows) yield `${row.map(textOf).join()}\n`;
}

function textOf(cell: Cell): string {
  if (typeof cell === "string") return csvText(cell);
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  return cell ? "True" : "False";
}

/** A number with at most `digits` decimals. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The same as text; empty if it is not finite. */
export function decimal(value: number, digits: number): string {
  return textOf(rounded(value, digits));
}

/** A number with six significant digits; NaN if there is none. */
export function sixDigits(value: number | null | undefined): number {
  return Number((value ?? NaN).toPrecision(6));
}
