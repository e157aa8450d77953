import type { Dataset } from "h5wasm/node";
import { RowPointers } from "../anndata/row-pointers.ts";
import type { RowAppender } from "../anndata/target.ts";

/** Appends to a growing dataset of one dimension. */
export class ValueAppender {
  readonly #dataset: Dataset;
  #length = 0;

  constructor(dataset: Dataset) {
    this.#dataset = dataset;
  }

  append(values: Int32Array | Float32Array): void {
    if (values.length === 0) return;
    const from = this.#length;
    this.#length += values.length;
    this.#dataset.resize([this.#length]);
    this.#dataset.write_slice([[from, this.#length]], values);
  }

  /** Nothing is pending: every append is written. */
  finish(): void {}
}

/** Appends rows to a CSR matrix on disk; only the row pointers are held. */
export class CsrAppender implements RowAppender {
  readonly #indices: ValueAppender;
  readonly #values: ValueAppender;
  readonly #indptr: RowPointers;
  readonly #writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown;

  constructor(
    indices: Dataset,
    values: Dataset,
    nRows: number,
    writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown,
  ) {
    this.#indices = new ValueAppender(indices);
    this.#values = new ValueAppender(values);
    this.#indptr = new RowPointers(nRows);
    this.#writeIndptr = writeIndptr;
  }

  get entries(): number {
    return this.#indptr.entries;
  }

  append(lengths: ArrayLike<number>, indices: Int32Array, values: Int32Array | Float32Array): void {
    this.#indptr.append(lengths);
    this.#indices.append(indices);
    this.#values.append(values);
  }

  finish(): void {
    this.#writeIndptr(this.#indptr.finish());
  }
}
