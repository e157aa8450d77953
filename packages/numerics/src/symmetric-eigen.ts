/** Eigenvectors of a symmetric matrix: column j of `vectors` (n × n, row-major) belongs to `values[j]`, descending. */
export interface SymmetricEigen {
  values: Float64Array;
  vectors: Float64Array;
}

/**
 * Eigendecomposition of a symmetric n × n matrix (row-major; left untouched) by cyclic Jacobi rotations (Golub & Van
 * Loan, Matrix Computations, 8.5). O(n³) per sweep, 6–10 sweeps: meant for n up to a few hundred.
 */
export function symmetricEigen(matrix: Float64Array, n: number): SymmetricEigen {
  const a = matrix.slice();
  // Rows of `v` are eigenvectors while rotating (contiguous access); transposed at the end.
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i++) v[i * n + i] = 1;
  let scale = 0;
  for (const value of a) scale += value * value;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p * n + q] ** 2;
    if (off <= 1e-26 * scale) break;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
    }
  }
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => a[j * n + j] - a[i * n + i]);
  const values = new Float64Array(n);
  const vectors = new Float64Array(n * n);
  order.forEach((from, to) => {
    values[to] = a[from * n + from];
    for (let i = 0; i < n; i++) vectors[i * n + to] = v[from * n + i];
  });
  return { values, vectors };
}

/** One Jacobi rotation that makes a[p][q] zero. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q];
  if (apq === 0) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const x = a[p * n + k];
    const y = a[q * n + k];
    a[p * n + k] = c * x - s * y;
    a[q * n + k] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const x = a[k * n + p];
    const y = a[k * n + q];
    a[k * n + p] = c * x - s * y;
    a[k * n + q] = s * x + c * y;
    const vx = v[p * n + k];
    const vy = v[q * n + k];
    v[p * n + k] = c * vx - s * vy;
    v[q * n + k] = s * vx + c * vy;
  }
}
