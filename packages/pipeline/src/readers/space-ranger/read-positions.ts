import { basename } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { InputError } from "../../errors.ts";
import { compressors, readSoundMetadata } from "../parquet.ts";
import type { SampleFiles } from "../sample-files.ts";
import type { Positions } from "../sample.ts";
import { readLines } from "../counts/read-text.ts";

const COLUMNS = [
  "barcode",
  "in_tissue",
  "array_row",
  "array_col",
  "pxl_row_in_fullres",
  "pxl_col_in_fullres",
] as const;
type Column = (typeof COLUMNS)[number];

/**
 * Reads spot positions from any Space Ranger version: headerless CSV (1), CSV with header (2 and later),
 * Parquet (HD). Additional columns are ignored. Throws {@link InputError} that names the invalid line.
 * O(spots).
 */
export async function readPositions(source: SampleFiles["positions"]): Promise<Positions> {
  const file = basename(source.path);
  const rows = new PositionRows(file);
  if (source.format === "parquet") {
    await readParquet(source.path, rows);
  } else {
    await readCsv(source.path, rows);
  }
  return rows.finish();
}

class PositionRows {
  readonly file: string;
  readonly #barcode: string[] = [];
  readonly #values: number[][] = [[], [], [], [], []];
  readonly #seen = new Set<string>();

  constructor(file: string) {
    this.file = file;
  }

  add(barcode: string, values: readonly number[], place: string): void {
    if (barcode === "") this.fail(`has no barcode in ${place}`);
    if (this.#seen.has(barcode)) this.fail(`lists the barcode ${barcode} twice (${place})`);
    this.#seen.add(barcode);
    values.forEach((value, i) => {
      if (!Number.isFinite(value)) {
        this.fail(`has no number for ${COLUMNS[i + 1]} in ${place} (barcode ${barcode})`);
      }
    });
    this.#barcode.push(barcode);
    values.forEach((value, i) => this.#values[i]!.push(value));
  }

  fail(what: string, cause?: unknown): never {
    throw new InputError(`${this.file} ${what}: use the original Space Ranger file.`, {
      file: this.file,
      cause,
    });
  }

  finish(): Positions {
    if (this.#barcode.length === 0) this.fail("contains no spots");
    const [inTissue, arrayRow, arrayCol, pxlRow, pxlCol] = this.#values as [
      number[],
      number[],
      number[],
      number[],
      number[],
    ];
    return {
      barcode: this.#barcode,
      inTissue: Uint8Array.from(inTissue, (value) => Number(value > 0)),
      arrayRow: Int32Array.from(arrayRow),
      arrayCol: Int32Array.from(arrayCol),
      x: Float64Array.from(pxlCol),
      y: Float64Array.from(pxlRow),
    };
  }
}

async function readCsv(path: string, rows: PositionRows): Promise<void> {
  let order: Partial<Record<Column, number>> | null = null;
  let separator = ",";
  let lineNumber = 0;
  for await (const line of readLines(path)) {
    lineNumber++;
    if (line.trim() === "") continue;
    if (order === null) {
      separator = line.includes(",") ? "," : line.includes("\t") ? "\t" : ";";
      // Headers contain no digits; barcodes and positions always do.
      const isHeader = !/\d/.test(line);
      order = isHeader
        ? columnOrder(split(line, separator), rows)
        : Object.fromEntries(COLUMNS.map((column, i) => [column, i]));
      if (isHeader) continue;
    }
    const parts = split(line, separator);
    const at = (column: Column): number => {
      const index = order![column];
      if (index === undefined) return 1;
      const text = parts[index];
      return text === undefined || text === "" ? Number.NaN : Number(text);
    };
    rows.add(
      parts[order.barcode!] ?? "",
      COLUMNS.slice(1).map((column) => at(column)),
      `line ${lineNumber}`,
    );
  }
}

function split(line: string, separator: string): string[] {
  return line.split(separator).map((part) => part.trim().replace(/^"(.*)"$/, "$1"));
}

function columnOrder(names: string[], rows: PositionRows): Partial<Record<Column, number>> {
  const order: Partial<Record<Column, number>> = {};
  for (const column of COLUMNS) {
    const index = names.indexOf(column);
    if (index >= 0) order[column] = index;
    // If the file does not say, everything on the slide counts as tissue.
    else if (column !== "in_tissue") rows.fail(`lacks the column ${column}`);
  }
  return order;
}

/** Number of Parquet rows held as objects at a time. */
const ROWS_AT_A_TIME = 100_000;

async function readParquet(path: string, rows: PositionRows): Promise<void> {
  const damaged = (cause: unknown): never =>
    rows.fail("cannot be read as Parquet and is probably damaged", cause);
  const file = await asyncBufferFromFile(path);
  const metadata = await readSoundMetadata(file, COLUMNS).catch(damaged);
  const present = new Set(metadata.schema.map((element) => element.name));
  for (const column of COLUMNS) {
    if (column !== "in_tissue" && !present.has(column)) rows.fail(`lacks the column ${column}`);
  }
  const columns = COLUMNS.filter((column) => present.has(column));
  const nRows = Number(metadata.num_rows);
  const values = new Array<number>(COLUMNS.length - 1);
  for (let rowStart = 0; rowStart < nRows; rowStart += ROWS_AT_A_TIME) {
    const rowEnd = Math.min(nRows, rowStart + ROWS_AT_A_TIME);
    const objects = await parquetReadObjects({
      file,
      metadata,
      compressors,
      columns,
      rowStart,
      rowEnd,
    }).catch(damaged);
    objects.forEach((object, i) => {
      COLUMNS.slice(1).forEach((column, c) => {
        const value: unknown = object[column];
        const missing = column === "in_tissue" ? 1 : Number.NaN;
        values[c] = value === undefined || value === null ? missing : Number(value);
      });
      rows.add(String(object["barcode"] ?? ""), values, `row ${rowStart + i + 1}`);
    });
  }
}
