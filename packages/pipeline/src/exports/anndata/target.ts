import type { NumberColumn } from "@stipple/numerics/matrices";
import { numbered } from "../column-names.ts";
import type { CsrAppender } from "./csr-appender.ts";
import type { UnsValue } from "./statistics-elements.ts";

/**
 * An AnnData object being written to HDF5 or Zarr by anndata's on-disk rules (encoding 0.1.0). Elements are addressed
 * by path ("obs/cell_type"); their parent group must exist. Large matrices are appended to, never held in memory.
 */
export interface AnnDataTarget {
  /** A dict, anndata's plain container. */
  group(path: string): void;
  /** A dataframe: index and the order of its columns; columns are written like other elements. */
  dataframe(path: string, index: readonly string[], columns: readonly string[]): void;
  array(path: string, data: NumberColumn, shape?: readonly number[]): void;
  strings(path: string, values: readonly string[]): void;
  /** Categories and the category of every row; −1 = missing. */
  categorical(path: string, codes: Int32Array, categories: readonly string[]): void;
  booleans(path: string, values: Uint8Array): void;
  number(path: string, value: number): void;
  string(path: string, value: string): void;
  /** A table whose columns are accessed by name: a NumPy structured array if the format has it. */
  records(path: string, fields: Record<string, readonly string[] | Float64Array>): void;
  /** A CSR matrix to which rows are appended. `values` is the type stored: int32 or float32. */
  csr(path: string, nRows: number, nCols: number, values: "<i" | "<f"): CsrAppender;
  /** The values of a CSR matrix with the sparsity pattern of another one: see `sharePattern`. */
  matchingCsr(
    path: string,
    nRows: number,
    nCols: number,
  ): { append(values: Float32Array): void | Promise<void>; finish(): void | Promise<void> };
  /** Gives a matrix started by `matchingCsr` the pattern of a finished one. */
  sharePattern(path: string, other: string): void;
}

/** A column of a dataframe: numbers, texts, booleans, or categories and the category of every row (−1 = missing). */
export type FrameColumn =
  | NumberColumn
  | readonly string[]
  | { flags: Uint8Array }
  | { codes: Int32Array; categories: readonly string[] };

/** Writes a dataframe with its columns, in their order. */
export function writeFrame(
  target: AnnDataTarget,
  path: string,
  index: readonly string[],
  columns: readonly (readonly [name: string, column: FrameColumn])[],
): void {
  target.dataframe(
    path,
    index,
    columns.map(([name]) => name),
  );
  for (const [name, column] of columns) {
    const at = `${path}/${name}`;
    if (isStrings(column)) target.strings(at, column);
    else if ("flags" in column) target.booleans(at, column.flags);
    else if ("codes" in column) target.categorical(at, column.codes, column.categories);
    else target.array(at, column);
  }
}

/** Writes one value of uns; containers are written with all their contents. */
export function writeUnsValue(target: AnnDataTarget, path: string, value: UnsValue): void {
  if (typeof value === "string") target.string(path, value);
  else if (typeof value === "number") target.number(path, value);
  else if (isStrings(value)) target.strings(path, value);
  else if ("array" in value) target.array(path, value.array, value.shape);
  else if ("records" in value) target.records(path, value.records);
  else if ("table" in value) {
    writeFrame(target, path, value.table.index, Object.entries(value.table.columns));
  } else {
    target.group(path);
    for (const [name, child] of Object.entries(value.dict)) {
      writeUnsValue(target, `${path}/${name}`, child);
    }
  }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

/** A name as a key: the formats split their paths at "/", and "." and ".." are places in a path. */
export function keyOf(name: string): string {
  return name.replaceAll("/", "_").replace(/^\.{1,2}$/, "_");
}

/** Names as sibling keys, which must differ even on file systems that ignore case. */
export function keysOf(names: readonly string[]): string[] {
  return numbered(names.map(keyOf));
}
