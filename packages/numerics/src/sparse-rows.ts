import type { SparseMatrix } from "./matrices.ts";

/** The entries of a row. */
export interface SparseRow {
  indices: Uint32Array;
  data: Float32Array;
}

/** Rows of a sparse matrix, one at a time, in memory or on disk. */
export interface SparseRows {
  nRows: number;
  nCols: number;
  /** Whether the matrix is in memory, so that a row costs next to nothing. */
  isHeld?: boolean;
  row(index: number): SparseRow;
}

/** A matrix in memory as {@link SparseRows}. */
export function rowsOf(matrix: SparseMatrix): SparseRows {
  const { nRows, nCols, indptr, indices, data } = matrix;
  return {
    nRows,
    nCols,
    isHeld: true,
    row: (i) => ({
      indices: indices.subarray(indptr[i], indptr[i + 1]),
      data: data.subarray(indptr[i], indptr[i + 1]),
    }),
  };
}
