import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import * as scran from "scran.js";
import type { Tasks } from "@stipple/tasks/task";
import {
  type Dataset,
  Group,
  H5File,
  openLibrary,
  type Library,
} from "@stipple/formats/hdf5/library";
import type { NumberColumn } from "@stipple/numerics/matrices";
import { CsrAppender } from "../anndata/csr-appender.ts";
import type { AnnDataTarget } from "../anndata/target.ts";
import { CHUNK, ChunkSpool } from "@stipple/formats/hdf5/write/chunk-spool";
import { ValueAppender } from "./value-appender.ts";
import { placeChunks } from "@stipple/formats/hdf5/write/place-chunks";

/** Tells anndata how to read an element. */
function encode(element: Group | Dataset, type: string, version: string): void {
  element.create_attribute("encoding-type", type);
  element.create_attribute("encoding-version", version);
}

/**
 * An AnnData object in HDF5 (.h5ad). h5wasm cannot create HDF5 enumerations, which anndata uses for booleans, nor
 * compound types, which it uses for structured arrays: scran.js adds those in `finish`. Large matrices pass through
 * neither: their chunks are compressed on all cores and placed in the file at the end (decision 46).
 */
export class AnnDataFile implements AnnDataTarget {
  readonly #path: string;
  readonly #file: H5File;
  readonly #library: Library;
  readonly #spool: ChunkSpool;
  readonly #growing: { header: number; values: ValueAppender }[] = [];
  readonly #booleans: { path: string; values: Int8Array }[] = [];
  readonly #categoricals: string[] = [];
  readonly #records: { path: string; fields: Record<string, readonly string[] | Float64Array> }[] =
    [];

  private constructor(path: string, file: H5File, library: Library, spool: ChunkSpool) {
    this.#path = path;
    this.#file = file;
    this.#library = library;
    this.#spool = spool;
  }

  /** Without `tasks`, the caller compresses large matrices. */
  static async create(path: string, tasks: Tasks | null = null): Promise<AnnDataFile> {
    const library = await openLibrary();
    // Without it, a failed write only prints a message, and the file would be silently wrong.
    library.activate_throwing_error_handler();
    // The earliest format: readable by every version of HDF5, and the one that `placeChunks` supports.
    const file = new H5File(path, "w", { libver: ["earliest", "latest"] });
    encode(file, "anndata", "0.1.0");
    return new AnnDataFile(path, file, library, await ChunkSpool.create(`${path}.chunks`, tasks));
  }

  group(path: string): void {
    encode(this.#create(path), "dict", "0.1.0");
  }

  dataframe(path: string, index: readonly string[], columns: readonly string[]): void {
    const group = this.#create(path);
    encode(group, "dataframe", "0.2.0");
    group.create_attribute("_index", "_index");
    group.create_attribute("column-order", [...columns]);
    this.strings(`${path}/_index`, index);
  }

  array(path: string, data: NumberColumn, shape: readonly number[] = [data.length]): void {
    const [parent, name] = this.#split(path);
    encode(parent.create_dataset({ name, data, shape: [...shape] }), "array", "0.2.0");
  }

  /** Writes an image or another array worth compressing, row by row. */
  compressedArray(path: string, data: NumberColumn, shape: readonly number[]): void {
    const [parent, name] = this.#split(path);
    const chunks = shape.map((size, axis) => (axis === 0 ? Math.min(size, 64) : size));
    encode(
      parent.create_dataset({ name, data, shape: [...shape], chunks, compression: 4 }),
      "array",
      "0.2.0",
    );
  }

  strings(path: string, values: readonly string[]): void {
    const [parent, name] = this.#split(path);
    encode(parent.create_dataset({ name, data: [...values], dtype: "S" }), "string-array", "0.2.0");
  }

  categorical(path: string, codes: Int32Array, categories: readonly string[]): void {
    const group = this.#create(path);
    encode(group, "categorical", "0.2.0");
    const narrow = categories.length < 128 ? Int8Array : Int16Array;
    this.array(`${path}/codes`, narrow.from(codes));
    this.strings(`${path}/categories`, categories);
    this.#categoricals.push(path);
  }

  booleans(path: string, values: Uint8Array): void {
    this.#booleans.push({ path, values: Int8Array.from(values, (value) => (value ? 1 : 0)) });
  }

  records(path: string, fields: Record<string, readonly string[] | Float64Array>): void {
    this.#records.push({ path, fields });
  }

  number(path: string, value: number): void {
    const [parent, name] = this.#split(path);
    encode(
      parent.create_dataset({ name, data: value, shape: [], dtype: "<d" }),
      "numeric-scalar",
      "0.2.0",
    );
  }

  string(path: string, value: string): void {
    const [parent, name] = this.#split(path);
    encode(parent.create_dataset({ name, data: value, shape: [], dtype: "S" }), "string", "0.2.0");
  }

  csr(path: string, nRows: number, nCols: number, values: "<i" | "<f"): CsrAppender {
    const group = this.#sparseGroup(path, nRows, nCols);
    return new CsrAppender(
      this.#grow(group, "indices", "<i"),
      this.#grow(group, "data", values),
      nRows,
      (indptr) => group.create_dataset({ name: "indptr", data: indptr }),
    );
  }

  matchingCsr(path: string, nRows: number, nCols: number): ValueAppender {
    return this.#grow(this.#sparseGroup(path, nRows, nCols), "data", "<f");
  }

  /** The group of `raw`, a separate part of AnnData. */
  rawGroup(): void {
    encode(this.#create("raw"), "raw", "0.1.0");
  }

  /** The pattern is stored once and linked. */
  sharePattern(path: string, other: string): void {
    for (const part of ["indices", "indptr"]) {
      (this.#file.get(path) as Group).create_hard_link(`/${other}/${part}`, part);
    }
  }

  /** Closes the file and adds what h5wasm cannot write. */
  async finish(): Promise<void> {
    this.#close();
    await placeChunks(
      this.#path,
      this.#spool,
      this.#growing.map(({ header, values }) => ({
        header,
        length: values.length,
        chunks: values.chunks,
      })),
    );
    await this.#spool.close();
    await scran.initialize({ numberOfThreads: 1 });
    const boolean = new scran.H5EnumType("Int8", ["FALSE", "TRUE"]);
    const text = new scran.H5StringType("UTF-8", scran.H5StringType.variableLength);
    for (const path of this.#categoricals) {
      new scran.H5Group(this.#path, path).writeAttribute("ordered", boolean, [], [0]);
    }
    for (const { path, values } of this.#booleans) {
      const cut = path.lastIndexOf("/");
      const dataset = new scran.H5Group(this.#path, path.slice(0, cut)).createDataSet(
        path.slice(cut + 1),
        boolean,
        [values.length],
        { chunks: [Math.max(1, Math.min(CHUNK, values.length))], compression: 4 },
      );
      dataset.write(values);
      dataset.writeAttribute("encoding-type", text, [], "array");
      dataset.writeAttribute("encoding-version", text, [], "0.2.0");
    }
    for (const { path, fields } of this.#records) {
      const cut = path.lastIndexOf("/");
      const names = Object.keys(fields);
      const members = names.map((name) => [
        name,
        fields[name] instanceof Float64Array ? "Float64" : text,
      ]);
      const nRows = Math.max(0, ...names.map((name) => fields[name].length));
      const dataset = new scran.H5Group(this.#path, path.slice(0, cut)).createDataSet(
        path.slice(cut + 1),
        new scran.H5CompoundType(Object.fromEntries(members)),
        [nRows],
      );
      dataset.write(
        Array.from({ length: nRows }, (_, row) =>
          Object.fromEntries(
            names.map((name) => {
              const values = fields[name];
              return [name, values[row] ?? (values instanceof Float64Array ? NaN : "")];
            }),
          ),
        ),
      );
      dataset.writeAttribute("encoding-type", text, [], "rec-array");
      dataset.writeAttribute("encoding-version", text, [], "0.2.0");
    }
  }

  /** Abandons the file after an error. Reports a full disk if that is the cause. */
  async abandon(cause: unknown): Promise<never> {
    try {
      this.#close();
      await this.#spool.close();
    } catch {
      // The first error is the one to report.
    }
    const { bavail, bsize } = await statfs(dirname(this.#path));
    if (bavail * bsize < 4 * CHUNK * 4) {
      throw Object.assign(new Error("No space left for the .h5ad file", { cause }), {
        code: "ENOSPC",
      });
    }
    throw cause;
  }

  #close(): void {
    try {
      this.#file.close();
    } finally {
      this.#library.deactivate_throwing_error_handler();
    }
  }

  #split(path: string): [Group, string] {
    const cut = path.lastIndexOf("/");
    if (cut < 0) return [this.#file, path];
    const parent = this.#file.get(path.slice(0, cut));
    if (!(parent instanceof Group)) throw new Error(`No group for ${path}`);
    return [parent, path.slice(cut + 1)];
  }

  #create(path: string): Group {
    const [parent, name] = this.#split(path);
    return parent.create_group(name);
  }

  #sparseGroup(path: string, nRows: number, nCols: number): Group {
    const group = this.#create(path);
    encode(group, "csr_matrix", "0.1.0");
    group.create_attribute("shape", new BigInt64Array([BigInt(nRows), BigInt(nCols)]));
    return group;
  }

  /** A dataset without chunks yet; deflate is requested only to reserve space among the header's messages. */
  #grow(group: Group, name: string, dtype: "<i" | "<f"): ValueAppender {
    const dataset = group.create_dataset({
      name,
      data: dtype === "<i" ? new Int32Array(0) : new Float32Array(0),
      shape: [0],
      maxshape: [null],
      chunks: [CHUNK],
      dtype,
      compression: 1,
    });
    const address = Buffer.from(dataset.create_reference().ref_data).readBigUInt64LE(0);
    const values = new ValueAppender(this.#spool, dtype, name === "indices");
    this.#growing.push({ header: Number(address), values });
    return values;
  }
}
