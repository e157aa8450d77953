import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { CellPrediction } from "@stipple/tissue/metrics/correlation";

/**
 * Input of every method that works on detected cells: the same cells, features, and spots as the product's own.
 */
export interface AnalyzedTissue {
  /** nCells × 2, full-resolution pixels. */
  cellsXy: Matrix<Float32Array>;
  /** nCells × nFeatures, raw. */
  features: Matrix<Float32Array>;
  /** Index of each detected cell's spot, −1 if none is near. */
  spotOf: Int32Array;
  /** Capture matrix A, spots × cells. */
  capture: SparseMatrix;
  /** nSpots × nGenes in the truth's gene order. */
  counts: SparseMatrix;
  /** nSpots × 2, full-resolution pixels. */
  spotsXy: ArrayLike<number>;
  /** Radius of a spot (half the side of a bin), full-resolution pixels. */
  spotRadiusPx: number;
}

/** Predicts gene values of a detected cell. */
export type FoundCellPrediction = CellPrediction;

/** Features scaled to mean 0 and standard deviation 1, clipped at ±4; constant or invalid columns become 0. */
export function standardized(features: Matrix<Float32Array>): Matrix<Float32Array> {
  const { nRows, nCols, data } = features;
  const out = new Float32Array(data.length);
  for (let column = 0; column < nCols; column++) {
    let sum = 0;
    let squares = 0;
    let count = 0;
    for (let row = 0; row < nRows; row++) {
      const value = data[row * nCols + column];
      if (!Number.isFinite(value)) continue;
      sum += value;
      squares += value * value;
      count++;
    }
    const mean = sum / count;
    const sd = Math.sqrt(Math.max(0, squares / count - mean * mean));
    if (!(sd > 0)) continue;
    for (let row = 0; row < nRows; row++) {
      const z = (data[row * nCols + column] - mean) / sd;
      out[row * nCols + column] = Number.isFinite(z) ? Math.max(-4, Math.min(4, z)) : 0;
    }
  }
  return { nRows, nCols, data: out };
}
