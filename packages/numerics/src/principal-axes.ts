import { Random } from "./random.ts";
import { symmetricEigen } from "./symmetric-eigen.ts";

export interface PrincipalAxes {
  /** Column means, nCols. */
  mean: Float64Array;
  /**
   * nCols × nAxes, row-major, orthonormal columns, by descending variance; the largest entry of each axis is positive.
   */
  axes: Float64Array;
  nAxes: number;
}

const PASSES = 6;
const EXTRA = 10;

/**
 * Leading principal axes of `data` (nRows × nCols, row-major) by randomized subspace iteration (Halko, Martinsson &
 * Tropp 2011). Deterministic in the seed. O(passes · nRows · nCols · nAxes), or
 * O(nRows · nCols + passes · nCols² · nAxes) given the `covariance` of the columns.
 */
export function principalAxes(
  data: Float32Array,
  nCols: number,
  nAxes: number,
  seed = 0,
  covariance: Float64Array | null = null,
): PrincipalAxes {
  const nRows = data.length / nCols;
  const wanted = Math.max(0, Math.min(nAxes, nCols, nRows - 1));
  const width = Math.min(nCols, nRows, wanted + EXTRA);
  const mean = new Float64Array(nCols);
  for (let i = 0; i < nRows; i++)
    for (let j = 0; j < nCols; j++) mean[j] += data[i * nCols + j] / nRows;
  const random = new Random(seed);
  let basis = Float64Array.from({ length: nCols * width }, () => random.normal());
  orthonormalize(basis, nCols, width);
  let small = new Float64Array(0);
  for (let pass = 0; pass < PASSES; pass++) {
    const image = covariance
      ? squareTimes(covariance, nCols, basis, width)
      : covarianceTimes(data, mean, nRows, nCols, basis, width);
    small = crossProduct(basis, image, nCols, width);
    if (pass < PASSES - 1) {
      basis = image;
      orthonormalize(basis, nCols, width);
    }
  }
  const { vectors } = symmetricEigen(small, width);
  const axes = new Float64Array(nCols * wanted);
  for (let a = 0; a < wanted; a++) {
    let largest = 0;
    for (let j = 0; j < nCols; j++) {
      let sum = 0;
      for (let w = 0; w < width; w++) sum += basis[j * width + w] * vectors[w * width + a];
      axes[j * wanted + a] = sum;
      if (Math.abs(sum) > Math.abs(largest)) largest = sum;
    }
    if (largest < 0) for (let j = 0; j < nCols; j++) axes[j * wanted + a] *= -1;
  }
  return { mean, axes, nAxes: wanted };
}

/** Scores of the rows on the axes: nRows × nAxes, row-major. */
export function projectOn(
  { mean, axes, nAxes }: PrincipalAxes,
  data: ArrayLike<number>,
  nRows: number,
): Float32Array<ArrayBuffer> {
  const nCols = mean.length;
  const scores = new Float32Array(nRows * nAxes);
  const row = new Float64Array(nCols);
  const whole = nAxes - (nAxes % 4);
  for (let i = 0; i < nRows; i++) {
    for (let j = 0; j < nCols; j++) row[j] = data[i * nCols + j] - mean[j];
    // Four axes at a time: their sums stay in registers.
    for (let axis = 0; axis < whole; axis += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let j = 0, at = axis; j < nCols; j++, at += nAxes) {
        const x = row[j];
        a += x * axes[at];
        b += x * axes[at + 1];
        c += x * axes[at + 2];
        d += x * axes[at + 3];
      }
      const to = i * nAxes + axis;
      scores[to] = a;
      scores[to + 1] = b;
      scores[to + 2] = c;
      scores[to + 3] = d;
    }
    for (let axis = whole; axis < nAxes; axis++) {
      let sum = 0;
      for (let j = 0; j < nCols; j++) sum += row[j] * axes[j * nAxes + axis];
      scores[i * nAxes + axis] = sum;
    }
  }
  return scores;
}

/** A square matrix times a basis (n × width). */
function squareTimes(
  square: Float64Array,
  n: number,
  basis: Float64Array,
  width: number,
): Float64Array<ArrayBuffer> {
  const image = new Float64Array(n * width);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const x = square[i * n + j];
      for (let w = 0; w < width; w++) image[i * width + w] += x * basis[j * width + w];
    }
  }
  return image;
}

/** Covariance of the centered data times a basis (nCols × width), without forming the covariance. */
function covarianceTimes(
  data: Float32Array,
  mean: Float64Array,
  nRows: number,
  nCols: number,
  basis: Float64Array,
  width: number,
): Float64Array<ArrayBuffer> {
  const image = new Float64Array(nCols * width);
  const score = new Float64Array(width);
  for (let i = 0; i < nRows; i++) {
    score.fill(0);
    for (let j = 0; j < nCols; j++) {
      const x = data[i * nCols + j] - mean[j];
      if (x !== 0) for (let w = 0; w < width; w++) score[w] += x * basis[j * width + w];
    }
    for (let w = 0; w < width; w++) score[w] /= Math.max(1, nRows - 1);
    for (let j = 0; j < nCols; j++) {
      const x = data[i * nCols + j] - mean[j];
      if (x !== 0) for (let w = 0; w < width; w++) image[j * width + w] += x * score[w];
    }
  }
  return image;
}

function crossProduct(
  a: Float64Array,
  b: Float64Array,
  nRows: number,
  width: number,
): Float64Array<ArrayBuffer> {
  const out = new Float64Array(width * width);
  for (let j = 0; j < nRows; j++)
    for (let p = 0; p < width; p++)
      for (let q = 0; q < width; q++) out[p * width + q] += a[j * width + p] * b[j * width + q];
  for (let p = 0; p < width; p++)
    for (let q = 0; q < p; q++)
      out[p * width + q] = out[q * width + p] = (out[p * width + q] + out[q * width + p]) / 2;
  return out;
}

/** Modified Gram–Schmidt, twice for stability; columns that vanish become zero. */
function orthonormalize(basis: Float64Array, nRows: number, width: number): void {
  for (let round = 0; round < 2; round++) {
    for (let p = 0; p < width; p++) {
      for (let q = 0; q < p; q++) {
        let dot = 0;
        for (let j = 0; j < nRows; j++) dot += basis[j * width + p] * basis[j * width + q];
        for (let j = 0; j < nRows; j++) basis[j * width + p] -= dot * basis[j * width + q];
      }
      let norm = 0;
      for (let j = 0; j < nRows; j++) norm += basis[j * width + p] ** 2;
      const factor = norm > 1e-30 ? 1 / Math.sqrt(norm) : 0;
      for (let j = 0; j < nRows; j++) basis[j * width + p] *= factor;
    }
  }
}
