import { CsrAppender } from "../anndata/csr-appender.ts";
import type { NumberColumn } from "@stipple/numerics/matrices";
import type { AnnDataTarget } from "../anndata/target.ts";
import type { GrowingArray, ZarrFolder } from "@stipple/formats/zarr/zarr-folder";

/** An AnnData object as a group in a Zarr hierarchy. */
export class AnnDataZarr implements AnnDataTarget {
  readonly #folder: ZarrFolder;
  readonly #root: string;

  constructor(folder: ZarrFolder, root: string, attributes: Record<string, unknown> = {}) {
    this.#folder = folder;
    this.#root = root;
    folder.group(root, { ...encoding("anndata", "0.1.0"), ...attributes });
  }

  group(path: string): void {
    this.#folder.group(this.#at(path), encoding("dict", "0.1.0"));
  }

  dataframe(path: string, index: readonly string[], columns: readonly string[]): void {
    this.#folder.group(this.#at(path), {
      ...encoding("dataframe", "0.2.0"),
      _index: "_index",
      "column-order": columns,
    });
    this.strings(`${path}/_index`, index);
  }

  array(path: string, data: NumberColumn, shape: readonly number[] = [data.length]): void {
    this.#folder.array(this.#at(path), data, shape, { attributes: encoding("array", "0.2.0") });
  }

  strings(path: string, values: readonly string[]): void {
    this.#folder.strings(
      this.#at(path),
      values,
      [values.length],
      encoding("string-array", "0.2.0"),
    );
  }

  categorical(path: string, codes: Int32Array, categories: readonly string[]): void {
    this.#folder.group(this.#at(path), { ...encoding("categorical", "0.2.0"), ordered: false });
    const narrow = categories.length < 128 ? Int8Array : Int16Array;
    this.array(`${path}/codes`, narrow.from(codes));
    this.strings(`${path}/categories`, categories);
  }

  booleans(path: string, values: Uint8Array): void {
    const bytes = values.map((value) => (value ? 1 : 0));
    this.#folder.array(this.#at(path), bytes, [bytes.length], {
      type: "bool",
      attributes: encoding("array", "0.2.0"),
    });
  }

  number(path: string, value: number): void {
    this.#folder.array(this.#at(path), Float64Array.of(value), [], {
      attributes: encoding("numeric-scalar", "0.2.0"),
    });
  }

  string(path: string, value: string): void {
    this.#folder.strings(this.#at(path), [value], [], encoding("string", "0.2.0"));
  }

  records(path: string, fields: Record<string, readonly string[] | Float64Array>): void {
    this.#folder.records(this.#at(path), fields, encoding("rec-array", "0.2.0"));
  }

  csr(path: string, nRows: number, nCols: number, values: "<i" | "<f"): CsrAppender {
    const at = this.#sparse(path, nRows, nCols);
    return new CsrAppender(
      this.#folder.growing(`${at}/indices`, "int32"),
      this.#folder.growing(`${at}/data`, values === "<i" ? "int32" : "float32"),
      nRows,
      (indptr) => this.#folder.array(`${at}/indptr`, indptr, [indptr.length]),
    );
  }

  matchingCsr(path: string, nRows: number, nCols: number): GrowingArray {
    return this.#folder.growing(`${this.#sparse(path, nRows, nCols)}/data`, "float32");
  }

  sharePattern(path: string, other: string): void {
    for (const part of ["indices", "indptr"]) {
      this.#folder.same(`${this.#at(path)}/${part}`, `${this.#at(other)}/${part}`);
    }
  }

  #at(path: string): string {
    return `${this.#root}/${path}`;
  }

  #sparse(path: string, nRows: number, nCols: number): string {
    const at = this.#at(path);
    this.#folder.group(at, { ...encoding("csr_matrix", "0.1.0"), shape: [nRows, nCols] });
    return at;
  }
}

function encoding(type: string, version: string): Record<string, unknown> {
  return { "encoding-type": type, "encoding-version": version };
}
