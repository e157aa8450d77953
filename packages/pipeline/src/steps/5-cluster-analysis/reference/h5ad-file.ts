import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { Dataset, type File as H5File, Group } from "h5wasm/node";
import { InputError } from "../../../errors.ts";
import { faultOfDataset, itemAt, openH5 } from "../../../readers/hdf5.ts";

/** Values read at a time. */
const SLICE = 4_000_000;

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
    try {
      const handle = await open(path, "r");
      const { buffer } = await handle.read(Buffer.alloc(8), 0, 8, 0).finally(() => handle.close());
      if (buffer.toString("latin1") !== "\x89HDF\r\n\x1a\n") throw new Error("no HDF5 signature");
      return new H5adFile(await openH5(path), name, (await stat(path)).size);
    } catch (cause) {
      throw new InputError(
        `The reference ${name} cannot be read as an h5ad file: use a file written by anndata.`,
        { file: name, cause },
      );
    }
  }

  close(): void {
    this.#close();
  }

  /** Throws an {@link InputError} with one sentence about this file. */
  fail(what: string): never {
    throw new InputError(`The reference ${this.name} ${what}.`, { file: this.name });
  }

  /** Names of the columns of obs or var. */
  columns(table: string): string[] {
    const group = itemAt(this.#h5, table);
    if (group instanceof Group) return group.keys().filter((key) => !key.startsWith("__"));
    return this.fail(`has no readable ${table}: save it again with anndata 0.7 or newer`);
  }

  /** A column as text, whether plain or categorical; missing values are "". Null if there is no such column. */
  text(table: string, column: string): string[] | null {
    const item = itemAt(this.#h5, `${table}/${column}`);
    if (item instanceof Group) {
      const categories = this.#values(`${table}/${column}/categories`);
      const codes = this.#values(`${table}/${column}/codes`);
      if (!categories || !codes) return null;
      return Array.from(codes, (code) => String(categories[Number(code)] ?? ""));
    }
    if (!(item instanceof Dataset)) return null;
    const values = this.#values(`${table}/${column}`)!;
    // Before anndata 0.8, categories were stored next to the columns.
    const categories = this.#values(`${table}/__categories/${column}`);
    return Array.from(values, (value) =>
      String(categories ? (categories[Number(value)] ?? "") : value),
    );
  }

  /** The index of obs or var. */
  index(table: string): string[] {
    const group = itemAt(this.#h5, table);
    const named = group instanceof Group ? group.attrs._index?.value : undefined;
    const column = typeof named === "string" ? named : "_index";
    return this.text(table, column) ?? this.fail(`has no index in ${table}`);
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

  /**
   * Visits every stored value, about four million at a time, calling `pause` in between. Order: by cell, or by gene for
   * "csc". Skips zeros of a dense matrix.
   */
  async visit(
    { path, encoding, nCells, nGenes }: H5adMatrix,
    each: (cell: number, gene: number, value: number) => void,
    pause: (fraction: number) => Promise<void>,
  ): Promise<void> {
    if (encoding === "dense") {
      const values = this.#dataset(path)!;
      const step = Math.max(1, Math.floor(SLICE / Math.max(1, nGenes)));
      for (let from = 0; from < nCells; from += step) {
        const to = Math.min(nCells, from + step);
        const block = values.slice([[from, to], []]) as ArrayLike<number>;
        for (let i = 0; i < block.length; i++) {
          if (block[i] !== 0) each(from + Math.floor(i / nGenes), i % nGenes, Number(block[i]));
        }
        await pause(to / nCells);
      }
      return;
    }
    const starts = Array.from(this.#values(`${path}/indptr`) ?? [], Number);
    const indices = this.#dataset(`${path}/indices`) ?? this.fail(`lacks the indices of ${path}`);
    const data = this.#dataset(`${path}/data`) ?? this.fail(`lacks the values of ${path}`);
    const nOuter = starts.length - 1;
    const total = starts[nOuter] ?? 0;
    let outer = 0;
    for (let from = 0; from < total; from += SLICE) {
      const to = Math.min(total, from + SLICE);
      const [inner, values] = [indices, data].map(
        (part) => part.slice([[from, to]]) as ArrayLike<number | bigint>,
      );
      for (let i = from; i < to; i++) {
        while (starts[outer + 1] <= i) outer++;
        const other = Number(inner[i - from]);
        const value = Number(values[i - from]);
        if (encoding === "csr") each(outer, other, value);
        else each(other, outer, value);
      }
      await pause(to / total);
    }
  }

  #values(path: string): ArrayLike<string | number | bigint> | null {
    const value = this.#dataset(path)?.value;
    return Array.isArray(value) || ArrayBuffer.isView(value)
      ? (value as ArrayLike<string | number | bigint>)
      : null;
  }

  #dataset(path: string): Dataset | null {
    const item = itemAt(this.#h5, path);
    if (!(item instanceof Dataset)) return null;
    const fault = faultOfDataset(item, this.#size);
    return fault === null ? item : this.fail(`cannot be read: its ${path} ${fault}`);
  }
}
