/** A regression on the columns of a design: what observations of one response say of each coefficient. */
export interface LeastSquares {
  coefficients: Float64Array;
  /** Standard deviations of the coefficients for a residual deviation of 1. */
  unscaled: Float64Array;
  /** Sum of squared weighted residuals; 0 where they are rounding errors. */
  residual: number;
}

/** Columns, of equal length, of a design matrix. */
export type Design = readonly ArrayLike<number>[];

/** A column is new if this share of its length lies outside the columns before it. */
const MIN_NEW = 1e-7;
/** Residuals below this share of the response are rounding errors. */
const ROUNDING = 1e-13;

/** Whether `column` is no linear combination of the columns of `design`. */
export function isIndependent(design: Design, column: ArrayLike<number>): boolean {
  const { length } = column;
  const before = Math.sqrt(dot(column, column));
  const basis = design.map((one) => Float64Array.from(one));
  orthogonalize(basis);
  const rest = Float64Array.from(column);
  for (let pass = 0; pass < 2; pass++) {
    for (const axis of basis) subtract(rest, axis, dot(axis, rest));
  }
  return length > 0 && Math.sqrt(dot(rest, rest)) > MIN_NEW * before;
}

/** Diagonal of the projection on the design's columns, which are independent. */
export function leverages(design: Design): Float64Array {
  const basis = design.map((one) => Float64Array.from(one));
  orthogonalize(basis);
  const sums = new Float64Array(design[0]?.length ?? 0);
  for (const axis of basis) axis.forEach((value, i) => (sums[i] += value * value));
  return sums;
}

/**
 * Weighted least squares by orthogonalization; `weights` default to 1. The columns must be independent. O(n p²) for n
 * observations and p columns.
 */
export function leastSquares(
  design: Design,
  y: ArrayLike<number>,
  weights?: ArrayLike<number>,
): LeastSquares {
  const p = design.length;
  const root = weights ? Float64Array.from(weights, (weight) => Math.sqrt(weight)) : null;
  const scaled = (values: ArrayLike<number>): Float64Array =>
    Float64Array.from(values, (value, i) => (root ? value * root[i] : value));
  const basis = design.map(scaled);
  const r = orthogonalize(basis);
  const rest = scaled(y);
  const size = dot(rest, rest);
  const inner = new Float64Array(p);
  basis.forEach((axis, j) => {
    inner[j] = dot(axis, rest);
    subtract(rest, axis, inner[j]);
  });
  const left = dot(rest, rest);
  const residual = left > ROUNDING ** 2 * size ? left : 0;
  const inverse = invertUpper(r, p);
  const coefficients = new Float64Array(p);
  const unscaled = new Float64Array(p);
  for (let i = 0; i < p; i++) {
    for (let j = i; j < p; j++) {
      coefficients[i] += inverse[i * p + j] * inner[j];
      unscaled[i] += inverse[i * p + j] ** 2;
    }
    unscaled[i] = Math.sqrt(unscaled[i]);
  }
  return { coefficients, unscaled, residual };
}

/** Makes the columns orthonormal in place (Gram–Schmidt, twice) and returns the upper triangle R of columns = QR. */
function orthogonalize(columns: Float64Array[]): Float64Array {
  const p = columns.length;
  const r = new Float64Array(p * p);
  columns.forEach((column, j) => {
    for (let pass = 0; pass < 2; pass++) {
      for (let i = 0; i < j; i++) {
        const along = dot(columns[i], column);
        r[i * p + j] += along;
        subtract(column, columns[i], along);
      }
    }
    const length = Math.sqrt(dot(column, column));
    r[j * p + j] = length;
    for (let k = 0; k < column.length; k++) column[k] /= length;
  });
  return r;
}

function invertUpper(r: Float64Array, p: number): Float64Array {
  const inverse = new Float64Array(p * p);
  for (let j = 0; j < p; j++) {
    inverse[j * p + j] = 1 / r[j * p + j];
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0;
      for (let k = i + 1; k <= j; k++) sum += r[i * p + k] * inverse[k * p + j];
      inverse[i * p + j] = -sum / r[i * p + i];
    }
  }
  return inverse;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtract(from: Float64Array, axis: ArrayLike<number>, times: number): void {
  for (let i = 0; i < from.length; i++) from[i] -= times * axis[i];
}
