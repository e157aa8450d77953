import type { SparseMatrix } from "@stipple/numerics/matrices";

/**
 * Builds a sparse matrix row by row; a row's columns are pushed in ascending order. Capacity doubles when full.
 */
export class SparseRows {
  readonly #nRows: number;
  readonly #nCols: number;
  readonly #indptr: Uint32Array;
  #indices = new Uint32Array(1024);
  #data = new Float32Array(1024);
  #length = 0;
  #row = 0;

  constructor(nRows: number, nCols: number) {
    this.#nRows = nRows;
    this.#nCols = nCols;
    this.#indptr = new Uint32Array(nRows + 1);
  }

  push(column: number, value: number): void {
    if (this.#length === this.#indices.length) {
      const indices = new Uint32Array(2 * this.#length);
      const data = new Float32Array(2 * this.#length);
      indices.set(this.#indices);
      data.set(this.#data);
      this.#indices = indices;
      this.#data = data;
    }
    this.#indices[this.#length] = column;
    this.#data[this.#length++] = value;
  }

  endRow(): void {
    this.#indptr[++this.#row] = this.#length;
  }

  finish(): SparseMatrix {
    return {
      nRows: this.#nRows,
      nCols: this.#nCols,
      indptr: this.#indptr,
      indices: this.#indices.slice(0, this.#length),
      data: this.#data.slice(0, this.#length),
    };
  }
}
