import { pause } from "../../engine/pause.ts";
import { rangesWithin } from "@stipple/numerics/ranges";
import { Dataset, Group, H5File, openLibrary } from "@stipple/formats/hdf5/library";
import { holdsTexts, numbersOf, textsOf } from "@stipple/formats/hdf5/values";

/** A column of obs, by what it holds. */
export type Column =
  | { kind: "categories"; codes: Int32Array; categories: string[] }
  | { kind: "texts"; values: string[] }
  | { kind: "booleans"; values: Uint8Array }
  | { kind: "numbers"; values: Int32Array | Float32Array | Float64Array };

/** Some rows of one or two matrices with the same pattern. */
export interface Block {
  lengths: Uint32Array;
  indices: Int32Array;
  values: (Int32Array | Float32Array)[];
}

/** HDF5's class of enumerations, as which anndata stores booleans. */
const ENUM = 8;
/** Entries read at a time. */
const ENTRIES = 1 << 20;

/** A finished sample's h5ad, read element by element. We wrote it, so it needs no guard against malice. */
export class SampleTable implements Disposable {
  readonly #file: H5File;

  private constructor(file: H5File) {
    this.#file = file;
  }

  static async open(path: string): Promise<SampleTable> {
    await openLibrary();
    return new SampleTable(new H5File(path, "r"));
  }

  has(path: string): boolean {
    return this.#file.get(path) !== null;
  }

  keys(path: string): string[] {
    const group = this.#file.get(path);
    return group instanceof Group ? group.keys() : [];
  }

  texts(path: string): string[] {
    return textsOf(this.#dataset(path));
  }

  numbers(path: string): Float64Array {
    return Float64Array.from(numbersOf(this.#dataset(path)) as ArrayLike<number>, Number);
  }

  /** An array of bytes with its shape: a picture. */
  bytes(path: string): { data: Uint8Array; shape: number[] } {
    const dataset = this.#dataset(path);
    return { data: Uint8Array.from(numbersOf(dataset) as Uint8Array), shape: dataset.shape ?? [] };
  }

  /** A scalar; null if there is none. */
  scalar(path: string): string | number | null {
    if (!this.has(path)) return null;
    const { value } = this.#dataset(path);
    return typeof value === "bigint" ? Number(value) : (value as string | number);
  }

  /** Names of the columns of obs, in their order. */
  columns(): string[] {
    const order = (this.#file.get("obs") as Group).attrs["column-order"]?.value;
    return Array.isArray(order) ? (order as string[]) : this.keys("obs");
  }

  column(name: string): Column {
    const item = this.#file.get(`obs/${name}`);
    if (item instanceof Group) {
      const codes = Int32Array.from(this.numbers(`obs/${name}/codes`));
      return { kind: "categories", codes, categories: this.texts(`obs/${name}/categories`) };
    }
    const dataset = this.#dataset(`obs/${name}`);
    if (holdsTexts(dataset)) return { kind: "texts", values: textsOf(dataset) };
    const values = numbersOf(dataset);
    if (dataset.metadata.type === ENUM) {
      return { kind: "booleans", values: Uint8Array.from(values as ArrayLike<number>, Number) };
    }
    const known =
      values instanceof Int32Array || values instanceof Float32Array
        ? values
        : Float64Array.from(values as ArrayLike<number>, Number);
    return { kind: "numbers", values: known };
  }

  /**
   * The rows of a CSR matrix, in blocks of about a million entries, and with them those of others that have its pattern.
   * Memory is that of a block.
   */
  async *rows(paths: readonly string[], signal: AbortSignal): AsyncGenerator<Block> {
    const [pattern] = paths;
    const indptr = this.numbers(`${pattern}/indptr`);
    const indices = this.#dataset(`${pattern}/indices`);
    const data = paths.map((path) => this.#dataset(`${path}/data`));
    for (const { from, to } of rangesWithin(indptr, ENTRIES)) {
      const range: [number, number] = [indptr[from], indptr[to]];
      const isEmpty = range[0] === range[1];
      yield {
        lengths: Uint32Array.from(
          { length: to - from },
          (_, i) => indptr[from + i + 1] - indptr[from + i],
        ),
        indices: isEmpty ? new Int32Array() : (numbersOf(indices, [range]) as Int32Array),
        values: data.map((one) =>
          isEmpty ? new Float32Array() : (numbersOf(one, [range]) as Int32Array | Float32Array),
        ),
      };
      await pause(signal);
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  #dataset(path: string): Dataset {
    const item = this.#file.get(path);
    if (!(item instanceof Dataset)) throw new Error(`The h5ad has no ${path}`);
    return item;
  }
}
