import type { Matrix } from "@stipple/numerics/matrices";
import { selectValue } from "@stipple/numerics/select-value";
import { FEATURES } from "./constants.ts";
import { interpolate, type NearestSpots } from "./nearest-spots.ts";

/** Features of cells, nCells × nCols, row-major. */
export interface Columns {
  data: Float32Array;
  nCols: number;
}

/**
 * Columns centered on their median and scaled by 1.4826 · median absolute deviation, winsorized at ±4 and then
 * standardized to mean 0, variance 1. Columns that do not vary, or have no finite values, are dropped; missing values
 * become 0 (the column's center). `data` is n × nCols row-major; O(n · nCols).
 */
export function standardize(data: ArrayLike<number>, n: number, nCols: number): Columns {
  const columns: Float32Array[] = [];
  for (let j = 0; j < nCols; j++) {
    const column = standardColumn(data, n, nCols, j);
    if (column) columns.push(column);
  }
  const out = new Float32Array(n * columns.length);
  columns.forEach((column, j) => {
    for (let i = 0; i < n; i++) out[i * columns.length + j] = column[i];
  });
  return { data: out, nCols: columns.length };
}

function standardColumn(
  data: ArrayLike<number>,
  n: number,
  nCols: number,
  j: number,
): Float32Array | null {
  const finite = new Float64Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const value = data[i * nCols + j];
    if (Number.isFinite(value)) finite[count++] = value;
  }
  if (count < 2) return null;
  const values = finite.subarray(0, count);
  const center = selectValue(values, count >> 1);
  for (let i = 0; i < count; i++) values[i] = Math.abs(values[i] - center);
  let spread = 1.4826 * selectValue(values, count >> 1);
  // More than half of the values are equal (a count, a flag): fall back to the mean deviation.
  if (!(spread > 0)) spread = 1.2533 * (values.sort().reduce((a, b) => a + b, 0) / count);
  if (!(spread > 0)) return null;
  const column = new Float32Array(n);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const value = data[i * nCols + j];
    const z = Number.isFinite(value)
      ? Math.max(-FEATURES.WINSOR, Math.min(FEATURES.WINSOR, (value - center) / spread))
      : 0;
    column[i] = z;
    sum += z;
    squares += z * z;
  }
  const mean = sum / n;
  const sd = Math.sqrt(Math.max(0, squares / n - mean * mean));
  if (!(sd > 1e-6)) return null;
  for (let i = 0; i < n; i++) column[i] = (column[i] - mean) / sd;
  return column;
}

/** Puts blocks of columns side by side, after a leading column of ones: φ = [1, blocks…], n × width. */
export function designMatrix(n: number, blocks: readonly Columns[]): Columns {
  const width = 1 + blocks.reduce((sum, block) => sum + block.nCols, 0);
  const data = new Float32Array(n * width);
  for (let i = 0; i < n; i++) data[i * width] = 1;
  let at = 1;
  for (const block of blocks) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < block.nCols; j++) {
        data[i * width + at + j] = block.data[i * block.nCols + j];
      }
    }
    at += block.nCols;
  }
  return { data, nCols: width };
}

/**
 * Standardized features of the cells themselves. Features of their surroundings add little that the spots do not
 * provide better, and cost accuracy if there are few spots (measured; see docs/methods).
 */
export function ownFeatures(raw: Matrix<Float32Array>, names: readonly string[]): Columns {
  const own = names.flatMap((name, j) => (/^(context|neighbor)/.test(name) ? [] : [j]));
  const data = new Float32Array(raw.nRows * own.length);
  for (let c = 0; c < raw.nRows; c++) {
    own.forEach((j, to) => (data[c * own.length + to] = raw.data[c * raw.nCols + j]));
  }
  return standardize(data, raw.nRows, own.length);
}

/** Standardized leading components (at most `most`) of the spots around each cell. O(cells · width · most). */
export function placeFeatures(near: NearestSpots, components: Columns, most: number): Columns {
  const nCols = Math.min(most, components.nCols);
  const mean = interpolate(near, components.data, nCols, components.nCols);
  return standardize(mean, near.spot.length / near.width, nCols);
}

/** Σ over cells of the products of their features from the column `first` on, divided by the number of cells. */
export function secondMoments({ data, nCols }: Columns, first: number): Float64Array {
  const d = nCols - first;
  const nCells = data.length / nCols;
  const sums = new Float64Array(d * d);
  for (let at = first; at < data.length; at += nCols) {
    for (let p = 0; p < d; p++) {
      const x = data[at + p] / nCells;
      for (let q = 0; q <= p; q++) sums[p * d + q] += x * data[at + q];
    }
  }
  for (let p = 0; p < d; p++) for (let q = 0; q < p; q++) sums[q * d + p] = sums[p * d + q];
  return sums;
}
