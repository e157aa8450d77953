import type { Dataset } from "h5wasm/node";

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
}

/** Appends rows to a CSR matrix on disk; only the row pointers are held. */
export class CsrAppender {
  readonly #indices: ValueAppender;
  readonly #values: ValueAppender;
  readonly #indptr: Float64Array;
  readonly #writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown;
  #row = 0;

  constructor(
    indices: Dataset,
    values: Dataset,
    nRows: number,
    writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown,
  ) {
    this.#indices = new ValueAppender(indices);
    this.#values = new ValueAppender(values);
    this.#indptr = new Float64Array(nRows + 1);
    this.#writeIndptr = writeIndptr;
  }

  get entries(): number {
    return this.#indptr[this.#row];
  }

  /** Appends rows; `lengths` holds the number of entries of each. */
  append(lengths: ArrayLike<number>, indices: Int32Array, values: Int32Array | Float32Array): void {
    for (let i = 0; i < lengths.length; i++) {
      this.#indptr[this.#row + 1] = this.#indptr[this.#row] + lengths[i];
      this.#row++;
    }
    this.#indices.append(indices);
    this.#values.append(values);
  }

  /** Writes the row pointers, 32-bit as SciPy expects while they fit. */
  finish(): void {
    if (this.#row !== this.#indptr.length - 1) throw new Error("A CSR matrix lacks rows");
    const wide = this.entries > 0x7fffffff;
    this.#writeIndptr(
      wide ? BigInt64Array.from(this.#indptr, BigInt) : Int32Array.from(this.#indptr),
    );
  }
}
