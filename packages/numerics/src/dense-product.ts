/**
 * Product of the first n rows (n × inner) with a matrix (inner × nCols), into `out` (n × nCols), summed over the inner
 * dimension in order. O(n · inner · nCols).
 */
export function denseProduct(
  rows: Float64Array,
  n: number,
  matrix: Float64Array,
  nCols: number,
  out: Float64Array,
): void {
  const inner = matrix.length / nCols;
  for (let row = 0; row < n; row++)
    multiplyRow(rows, row * inner, inner, matrix, nCols, out, row * nCols);
}

/** One row, four columns at a time: their sums stay in registers. */
function multiplyRow(
  rows: Float64Array,
  from: number,
  inner: number,
  matrix: Float64Array,
  nCols: number,
  out: Float64Array,
  to: number,
): void {
  let j = 0;
  for (; j + 3 < nCols; j += 4) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0, at = j; i < inner; i++, at += nCols) {
      const value = rows[from + i];
      a += value * matrix[at];
      b += value * matrix[at + 1];
      c += value * matrix[at + 2];
      d += value * matrix[at + 3];
    }
    out[to + j] = a;
    out[to + j + 1] = b;
    out[to + j + 2] = c;
    out[to + j + 3] = d;
  }
  for (; j < nCols; j++) {
    let sum = 0;
    for (let i = 0, at = j; i < inner; i++, at += nCols) sum += rows[from + i] * matrix[at];
    out[to + j] = sum;
  }
}
