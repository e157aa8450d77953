/** Dense row-major matrix: element (row, column) is data[row * nCols + column]. */
export interface Matrix<T extends NumericArray = NumericArray> {
  nRows: number;
  nCols: number;
  data: T;
}

/** Compressed sparse rows: row r holds entries indptr[r] ≤ k < indptr[r + 1]; column indices ascend within a row. */
export interface SparseMatrix {
  nRows: number;
  nCols: number;
  indptr: Uint32Array;
  indices: Uint32Array;
  data: Float32Array;
}

/** Closed rings without the repeated last point: ring i is points offsets[i] ≤ p < offsets[i + 1], point p = (xy[2p], xy[2p + 1]). */
export interface Polygons {
  offsets: Uint32Array;
  xy: Float32Array;
}

export type NumericArray =
  Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** What a column of a file may hold. */
export type NumberColumn =
  Uint8Array | Int8Array | Int16Array | Int32Array | BigInt64Array | Float32Array | Float64Array;
