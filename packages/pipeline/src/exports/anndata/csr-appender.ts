/** An array on disk to which values are appended. */
interface Growing {
  append(values: Int32Array | Float32Array): Promise<void>;
  finish(): Promise<void>;
}

/** Appends rows to a CSR matrix on disk; only the row pointers are kept in memory. */
export class CsrAppender {
  readonly #indices: Growing;
  readonly #values: Growing;
  readonly #indptr: Float64Array;
  readonly #writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown;
  #row = 0;

  constructor(
    indices: Growing,
    values: Growing,
    nRows: number,
    writeIndptr: (indptr: Int32Array | BigInt64Array) => unknown,
  ) {
    this.#indices = indices;
    this.#values = values;
    this.#indptr = new Float64Array(nRows + 1);
    this.#writeIndptr = writeIndptr;
  }

  /** `lengths` holds the number of entries of each row. */
  async append(
    lengths: ArrayLike<number>,
    indices: Int32Array,
    values: Int32Array | Float32Array,
  ): Promise<void> {
    for (let i = 0; i < lengths.length; i++) {
      this.#indptr[this.#row + 1] = this.#indptr[this.#row] + lengths[i];
      this.#row++;
    }
    await this.#indices.append(indices);
    await this.#values.append(values);
  }

  /** Row pointers are of 32 bits, as SciPy expects, as long as they fit. */
  async finish(): Promise<void> {
    await this.#indices.finish();
    await this.#values.finish();
    if (this.#row !== this.#indptr.length - 1) throw new Error("A CSR matrix lacks rows");
    this.#writeIndptr(
      this.#indptr[this.#row] > 0x7fffffff
        ? BigInt64Array.from(this.#indptr, BigInt)
        : Int32Array.from(this.#indptr),
    );
  }
}
