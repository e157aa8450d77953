import { symmetricEigen } from "./symmetric-eigen.ts";

/** Product of row-major a (n × m) and b (m × k) → n × k. */
export function matrixProduct(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  n: number,
  m: number,
  k: number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(n * k);
  for (let i = 0; i < n; i++) {
    for (let l = 0; l < m; l++) {
      const factor = a[i * m + l];
      if (factor === 0) continue;
      for (let j = 0; j < k; j++) out[i * k + j] += factor * b[l * k + j];
    }
  }
  return out;
}

/** Transpose of a row-major n × m matrix → m × n. */
export function transposeDense<T extends Float32Array | Float64Array>(
  matrix: T,
  n: number,
  m: number,
): T {
  const out = matrix.slice() as T;
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) out[j * n + i] = matrix[i * m + j];
  return out;
}

/** Symmetric square root of a positive semi-definite n × n matrix. */
export function matrixRoot(matrix: Float64Array, n: number): Float64Array<ArrayBuffer> {
  return ofEigenvalues(matrix, n, Math.sqrt);
}

/** Inverse of a positive semi-definite n × n matrix, with `ridge` times the largest eigenvalue added to each. */
export function ridgeInverse(
  matrix: Float64Array,
  n: number,
  ridge: number,
): Float64Array<ArrayBuffer> {
  return ofEigenvalues(matrix, n, (value, largest) => 1 / (value + ridge * largest));
}

/** The symmetric matrix whose eigenvalues are changed; those below 0 count as 0. */
function ofEigenvalues(
  matrix: Float64Array,
  n: number,
  changed: (value: number, largest: number) => number,
): Float64Array<ArrayBuffer> {
  const { values, vectors } = symmetricEigen(matrix, n);
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const scale = changed(Math.max(0, values[i]), values[0]);
    for (let p = 0; p < n; p++) {
      const factor = scale * vectors[p * n + i];
      for (let q = 0; q < n; q++) out[p * n + q] += factor * vectors[q * n + i];
    }
  }
  return out;
}

/** Selected rows of a dense matrix, in the order given. */
export function pickRows(
  data: ArrayLike<number>,
  nCols: number,
  rows: readonly number[] | Uint32Array,
): Float32Array<ArrayBuffer> {
  const out = new Float32Array(rows.length * nCols);
  rows.forEach((row, i) => {
    for (let j = 0; j < nCols; j++) out[i * nCols + j] = data[row * nCols + j];
  });
  return out;
}

/** Squared Euclidean distance between `n` numbers of `a` and of `b`, starting at the given offsets. O(n). */
export function squaredDistance(
  a: Float32Array,
  aAt: number,
  b: Float32Array,
  bAt: number,
  n: number,
): number {
  let sum = 0;
  for (let j = 0; j < n; j++) {
    const difference = a[aAt + j] - b[bAt + j];
    sum += difference * difference;
  }
  return sum;
}
