/** The indptr of a CSR matrix to which rows are appended. */
export class RowPointers {
  readonly #indptr: Float64Array;
  #row = 0;

  constructor(nRows: number) {
    this.#indptr = new Float64Array(nRows + 1);
  }

  get entries(): number {
    return this.#indptr[this.#row];
  }

  append(lengths: ArrayLike<number>): void {
    for (let i = 0; i < lengths.length; i++) {
      this.#indptr[this.#row + 1] = this.#indptr[this.#row] + lengths[i];
      this.#row++;
    }
  }

  /** The row pointers: 32-bit, as SciPy expects, as long as they fit. */
  finish(): Int32Array | BigInt64Array {
    if (this.#row !== this.#indptr.length - 1) throw new Error("A CSR matrix lacks rows");
    return this.entries > 0x7fffffff
      ? BigInt64Array.from(this.#indptr, BigInt)
      : Int32Array.from(this.#indptr);
  }
}
