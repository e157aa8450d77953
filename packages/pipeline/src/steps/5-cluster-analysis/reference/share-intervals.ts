import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { REFERENCES } from "../../../model/constants.ts";
import { GUARDS } from "../../../model/limits.ts";

/**
 * Converts fitted weights to shares, with intervals from the delta method: the weights' covariance is the inverse
 * Fisher information of the weighted counts times the spot's own overdispersion (Pearson's χ² over degrees of freedom,
 * at least 1). `profile`: genes × labels. O(spots · genes · labels²).
 */
export function shareIntervals(
  profile: Float64Array,
  nLabels: number,
  counted: SparseMatrix,
  weights: Float64Array,
  dispersion: number,
): {
  share: Matrix<Float32Array>;
  low: Matrix<Float32Array>;
  high: Matrix<Float32Array>;
} {
  const empty = (): Matrix<Float32Array> => ({
    nRows: counted.nRows,
    nCols: nLabels,
    data: new Float32Array(counted.nRows * nLabels),
  });
  const [share, low, high] = [empty(), empty(), empty()];
  const nGenes = profile.length / nLabels;
  const information = new Float64Array(nLabels * nLabels);
  const seen = new Float64Array(nGenes);
  for (let spot = 0; spot < counted.nRows; spot++) {
    const own = weights.subarray(spot * nLabels, (spot + 1) * nLabels);
    const total = own.reduce((sum, weight) => sum + weight, 0);
    if (total === 0) continue;
    seen.fill(0);
    for (let i = counted.indptr[spot]; i < counted.indptr[spot + 1]; i++) {
      seen[counted.indices[i]] = counted.data[i];
    }
    information.fill(0);
    let chi = 0;
    let freedom = -nLabels;
    for (let g = 0; g < nGenes; g++) {
      const row = profile.subarray(g * nLabels, (g + 1) * nLabels);
      let mean = 0;
      for (let k = 0; k < nLabels; k++) mean += own[k] * row[k];
      if (mean <= 0) continue;
      const variance = mean * (1 + dispersion * mean);
      chi += (seen[g] - mean) ** 2 / variance;
      freedom++;
      for (let k = 0; k < nLabels; k++) {
        for (let l = 0; l < nLabels; l++) {
          information[k * nLabels + l] += (row[k] * row[l]) / variance;
        }
      }
    }
    const covariance = inverse(information, nLabels);
    const spread = Math.max(1, chi / Math.max(1, freedom));
    const sumOf = Array.from({ length: nLabels }, (_, k) => {
      let sum = 0;
      for (let l = 0; l < nLabels; l++) sum += covariance[k * nLabels + l];
      return sum;
    });
    const whole = sumOf.reduce((sum, value) => sum + value, 0);
    for (let k = 0; k < nLabels; k++) {
      const at = spot * nLabels + k;
      const value = own[k] / total;
      const variance =
        (spread * (covariance[k * nLabels + k] - 2 * value * sumOf[k] + value * value * whole)) /
        (total * total);
      const half = REFERENCES.ERRORS * Math.sqrt(Math.max(0, variance));
      share.data[at] = value;
      low.data[at] = Math.max(0, value - half);
      high.data[at] = Math.min(1, value + half);
    }
  }
  return { share, low, high };
}

/** Regularized inverse of a positive semidefinite matrix. */
function inverse(matrix: Float64Array, n: number): Float64Array {
  const { values, vectors } = symmetricEigen(matrix, n);
  const ridge = GUARDS.RIDGE * Math.max(...values);
  const result = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const scale = 1 / (Math.max(0, values[i]) + ridge);
    for (let p = 0; p < n; p++) {
      const factor = scale * vectors[p * n + i];
      for (let q = 0; q < n; q++) result[p * n + q] += factor * vectors[q * n + i];
    }
  }
  return result;
}
