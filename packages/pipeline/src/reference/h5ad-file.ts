import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { pause } from "../engine/pause.ts";
import { InputError } from "../errors.ts";
import { faultOfDataset, itemAt, openH5 } from "@stipple/formats/hdf5/open-h5";
import { unknownCompression } from "@stipple/formats/hdf5/filters";
import { Dataset, Group, type H5File } from "@stipple/formats/hdf5/library";
import { holdsNumbers, holdsTexts, numbersOf, textsOf } from "@stipple/formats/hdf5/values";

/** Values read at a time. */
const SLICE = 4_000_000;
const SAVE_AGAIN = "save it again with anndata 0.7 or newer";

type Values = ArrayLike<string | number | bigint>;

/** A count matrix inside an h5ad, cells × genes, in any of anndata's three encodings. */
export interface H5adMatrix {
  path: string;
  encoding: "csr" | "csc" | "dense";
  nCells: number;
  nGenes: number;
}

/** The parts of an h5ad file that a reference needs, read on demand. Close it after use. */
export class H5adFile {
  readonly name: string;
  readonly #h5: H5File;
  readonly #close: () => void;
  readonly #size: number;

  private constructor(opened: { h5: H5File; close: () => void }, name: string, size: number) {
    this.#h5 = opened.h5;
    this.#close = opened.close;
    this.#size = size;
    this.name = name;
  }

  /** Throws {@link InputError} if the file is not HDF5. */
  static async open(path: string): Promise<H5adFile> {
    const name = basename(path);
    const handle = await open(path, "r");
    const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0).finally(() => handle.close());
    if (buffer.toString("latin1") !== "\x89HDF\r\n\x1a\n") {
      throw new InputError(
        `The reference ${name} cannot be read as an h5ad file: use a file written by anndata.`,
      );
    }
    const { size } = await stat(path);
    return new H5adFile(await openH5(path).catch((cause) => damaged(name, cause)), name, size);
  }

  close(): void {
    this.#close();
  }

  /** Throws an {@link InputError} with one sentence about this file. */
  fail(what: string): never {
    throw new InputError(`The reference ${this.name} ${what}.`);
  }

  /** Throws the {@link InputError} for content that no program would write. */
  damaged(cause: unknown): never {
    damaged(this.name, cause);
  }

  /** Names of the columns of obs or var. */
  columns(table: string): string[] {
    const group = itemAt(this.#h5, table);
    if (group instanceof Group) return group.keys().filter((key) => !key.startsWith("__"));
    return this.fail(`has no readable ${table}: ${SAVE_AGAIN}`);
  }

  /** A column as text, whether plain, masked, or categorical; missing values are "". Null if there is no such column. */
  text(table: string, column: string): string[] | null {
    const codes = this.#values(`${table}/${column}/codes`);
    const named = this.#values(`${table}/${column}/categories`);
    if (codes && named) return this.#named(codes, named, `${table}/${column}`);
    const values = this.#values(`${table}/${column}`);
    if (!values) return null;
    // Before anndata 0.8, categories were stored next to the columns.
    const categories = this.#values(`${table}/__categories/${column}`);
    if (categories) return this.#named(values, categories, `${table}/${column}`);
    return Array.from(values, String);
  }

  /** The category of each code; "" for −1, which means a missing value. */
  #named(codes: Values, categories: Values, column: string): string[] {
    return Array.from(codes, (each) => {
      const code = Number(each);
      if (code === -1) return "";
      const category = Number.isInteger(code) ? categories[code] : undefined;
      return category === undefined
        ? this.damaged(`category ${code} in ${column}`)
        : String(category);
    });
  }

  /** A single text, not in a list; null if there is none at this path. */
  single(path: string): string | null {
    const dataset = this.#dataset(path);
    if (dataset === null || dataset.shape?.length !== 0 || !holdsTexts(dataset)) return null;
    return String(dataset.value);
  }

  /** The index of obs or var. */
  index(table: string): string[] {
    const group = itemAt(this.#h5, table);
    const named = group instanceof Group ? group.attrs._index?.value : undefined;
    const column = typeof named === "string" ? named : "_index";
    return this.text(table, column) ?? this.fail(`has no index in ${table}: ${SAVE_AGAIN}`);
  }

  /** A matrix, or null if there is none at this path. */
  matrix(path: string): H5adMatrix | null {
    const item = itemAt(this.#h5, path);
    if (item instanceof Dataset) {
      const shape = item.shape ?? [];
      if (shape.length !== 2) return null;
      return { path, encoding: "dense", nCells: Number(shape[0]), nGenes: Number(shape[1]) };
    }
    if (!(item instanceof Group)) return null;
    const kind = String(item.attrs["encoding-type"]?.value ?? item.attrs.h5sparse_format?.value);
    const shape = (item.attrs.shape ?? item.attrs.h5sparse_shape)?.value;
    if (!/^cs[rc]/.test(kind) || !shape) return null;
    const [nCells, nGenes] = Array.from(shape as ArrayLike<number | bigint>, Number);
    return { path, encoding: kind.startsWith("csr") ? "csr" : "csc", nCells, nGenes };
  }

  /** Throws {@link InputError} if the parts of a matrix are missing or compressed in an unknown way. */
  requireReadable({ path, encoding }: H5adMatrix): void {
    const parts =
      encoding === "dense"
        ? [path]
        : ["indptr", "indices", "data"].map((part) => `${path}/${part}`);
    for (const part of parts) this.#numbers(part);
  }

  /**
   * Visits every stored value, about four million at a time, with a pause after each part. Order: by cell, or by gene
   * for "csc". Skips zeros of a dense matrix. Throws CancelledError once the signal is aborted.
   */
  async visit(
    { path, encoding, nCells, nGenes }: H5adMatrix,
    each: (cell: number, gene: number, value: number) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    if (encoding === "dense") {
      const values = this.#numbers(path);
      const step = Math.max(1, Math.floor(SLICE / Math.max(1, nGenes)));
      for (let from = 0; from < nCells; from += step) {
        const to = Math.min(nCells, from + step);
        const block = numbersOf(values, [[from, to], []]);
        for (let i = 0; i < block.length; i++) {
          const value = Number(block[i]);
          if (value !== 0)
            each(from + Math.floor(i / nGenes), i % nGenes, this.#finite(value, path));
        }
        await pause(signal);
      }
      return;
    }
    const [indices, data] = [this.#numbers(`${path}/indices`), this.#numbers(`${path}/data`)];
    const [nOuter, nInner] = encoding === "csr" ? [nCells, nGenes] : [nGenes, nCells];
    const total = data.shape?.[0] ?? 0;
    const starts = this.#starts(path, nOuter, total);
    if (indices.shape?.[0] !== total)
      this.damaged(`${path} has unequal numbers of indices and values`);
    const lastOuter = new Int32Array(nInner).fill(-1);
    let outer = 0;
    for (let from = 0; from < total; from += SLICE) {
      const to = Math.min(total, from + SLICE);
      const [inner, values] = [indices, data].map((part) => numbersOf(part, [[from, to]]));
      for (let i = from; i < to; i++) {
        while (starts[outer + 1] <= i) outer++;
        const other = Number(inner[i - from]);
        if (!(other >= 0 && other < nInner)) this.damaged(`${path} has an index ${other}`);
        if (lastOuter[other] === outer) {
          this.fail(
            `has two values of one gene in a cell in ${path}: call its sum_duplicates() in Python, and save it again`,
          );
        }
        lastOuter[other] = outer;
        const value = this.#finite(Number(values[i - from]), path);
        if (encoding === "csr") each(outer, other, value);
        else each(other, outer, value);
      }
      await pause(signal);
    }
  }

  /** Where the values of each row (or column) begin, and the end of the last. */
  #starts(path: string, nOuter: number, total: number): number[] {
    const starts = Array.from(this.#values(`${path}/indptr`) ?? [], Number);
    const ascend = starts.every((start, i) => start >= (i === 0 ? 0 : starts[i - 1]));
    const whole = starts.length === nOuter + 1 && starts[0] === 0 && starts[nOuter] === total;
    return ascend && whole ? starts : this.damaged(`${path}/indptr contradicts its values`);
  }

  #finite(value: number, path: string): number {
    if (Number.isFinite(value)) return value;
    return this.fail(`has the value ${value} in ${path}: use counts or log-normalized values`);
  }

  /** Null if there is no list at this path. Of nullable lists, which have a mask, missing values are "". */
  #values(path: string): Values | null {
    const mask = this.#list(`${path}/mask`);
    const values = this.#list(mask ? `${path}/values` : path);
    if (!mask || !values) return values;
    if (mask.length !== values.length) this.damaged(`${path} has a mask of another length`);
    return Array.from(values, (value, at) => (Number(mask[at]) === 0 ? value : ""));
  }

  #list(path: string): Values | null {
    const dataset = this.#dataset(path);
    if (dataset?.shape?.length !== 1) return null;
    if (holdsTexts(dataset)) return textsOf(dataset);
    return holdsNumbers(dataset) ? numbersOf(dataset) : null;
  }

  /** Part of a matrix. */
  #numbers(path: string): Dataset {
    const dataset = this.#dataset(path) ?? this.fail(`lacks ${path}: ${SAVE_AGAIN}`);
    if (holdsNumbers(dataset)) return dataset;
    return this.fail(
      `has values in ${path} that cannot be read: save it again with whole numbers or 32-bit floats`,
    );
  }

  #dataset(path: string): Dataset | null {
    const item = itemAt(this.#h5, path);
    if (!(item instanceof Dataset)) return null;
    const unknown = unknownCompression(item);
    if (unknown !== null) {
      throw new InputError(
        `The reference ${this.name} is compressed with ${unknown}, which cannot be read here: write it again with compression="gzip".`,
      );
    }
    const fault = faultOfDataset(item, this.#size);
    return fault === null ? item : this.fail(`cannot be read: its ${path} ${fault}`);
  }
}

function damaged(name: string, cause: unknown): never {
  throw new InputError(`The reference ${name} is damaged: copy or upload it again.`, { cause });
}
