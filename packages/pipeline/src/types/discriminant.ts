import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { secondMoments, type Columns } from "../model/cell-features.ts";
import { membership, type Gate } from "../model/prototypes.ts";
import { GUARDS } from "../model/limits.ts";

const { ADDED_VARIANCE: RIDGE, NEGLIGIBLE } = GUARDS;

/**
 * Opens linear discriminants (Fisher 1936) between the components of gates, from the component means of the cells and
 * the within-component covariance. A gate fitted to a few dozen spots contains their noise in each of its weights. Means of
 * thousands of cells, most of them not captured by any spot, differ mainly along directions in which the cells really
 * separate: weights along these are kept, and others shrink. O(cells · features²), and for each gate
 * O(cells · features · components + features³).
 */
export function openDiscriminant(phi: Columns): (gate: Gate) => Gate {
  const moments = secondMoments(phi, 1);
  const nCells = phi.data.length / phi.nCols;
  return (gate) => {
    const { weights, sizes } = logLikelihoods(phi, moments, membership(phi, gate), 0);
    sizes.forEach((size, t) => (weights[t] += Math.log(size / nCells)));
    return { weights, k: gate.k };
  };
}

/**
 * Multiplies the posterior of each cell's types (nCells × k, in place) by the likelihood of its look, so that types which
 * look alike gain nothing. A type's mean look is shrunk toward that of all cells, as if it had as many more cells as there
 * are features. O(cells · features · (features + probable types)).
 */
export function weighByLooks(posterior: Float32Array, phi: Columns): void {
  const { data, nCols } = phi;
  const nCells = data.length / nCols;
  const k = posterior.length / nCells;
  const { weights } = logLikelihoods(phi, secondMoments(phi, 1), posterior, nCols - 1);
  const odds = new Float64Array(k);
  for (let cell = 0; cell < nCells; cell++) {
    const own = posterior.subarray(cell * k, (cell + 1) * k);
    odds.fill(-Infinity);
    for (let t = 0; t < k; t++) {
      if (own[t] < NEGLIGIBLE) continue;
      odds[t] = Math.log(own[t]);
      for (let p = 0; p < nCols; p++) odds[t] += data[cell * nCols + p] * weights[p * k + t];
    }
    const most = odds.reduce((a, b) => Math.max(a, b));
    const total = odds.reduce((sum, value) => sum + Math.exp(value - most), 0);
    for (let t = 0; t < k; t++) own[t] = Math.exp(odds[t] - most) / total;
  }
}

/**
 * Log likelihood of features by component, as weights of the features (nCols × k, up to a constant for each cell):
 * features are normal around the mean of a component's cells, with one covariance. `priorCells` at the mean of all cells are
 * added to each component.
 */
function logLikelihoods(
  phi: Columns,
  moments: Float64Array,
  members: Float32Array,
  priorCells: number,
): { weights: Float64Array; sizes: Float64Array } {
  const { data, nCols } = phi;
  const d = nCols - 1;
  const nCells = data.length / nCols;
  const k = members.length / nCells;
  const sums = sumsBy(phi, members, k);
  const covariance = moments.slice();
  const sizes = Float64Array.from({ length: k }, (_, t) => Math.max(1e-9, sums[t]));
  const mean = (t: number, p: number): number => sums[(p + 1) * k + t] / (sizes[t] + priorCells);
  for (let p = 0; p < d; p++) {
    for (let q = 0; q < d; q++) {
      let between = 0;
      for (let t = 0; t < k; t++) between += sizes[t] * mean(t, p) * mean(t, q);
      covariance[p * d + q] -= between / nCells;
    }
  }
  let trace = 0;
  for (let p = 0; p < d; p++) trace += covariance[p * d + p];
  const ridge = Math.max(1e-9, (RIDGE * trace) / d);
  for (let p = 0; p < d; p++) covariance[p * d + p] += ridge;
  const { values, vectors } = symmetricEigen(covariance, d);
  const weights = new Float64Array(nCols * k);
  for (let t = 0; t < k; t++) {
    let norm = 0;
    for (let j = 0; j < d; j++) {
      let along = 0;
      for (let p = 0; p < d; p++) along += vectors[p * d + j] * mean(t, p);
      const scaled = along / Math.max(ridge, values[j]);
      norm += along * scaled;
      for (let p = 0; p < d; p++) weights[(p + 1) * k + t] += vectors[p * d + j] * scaled;
    }
    weights[t] = -norm / 2;
  }
  return { weights, sizes };
}

/** φᵀM, nCols × k. */
function sumsBy({ data, nCols }: Columns, members: Float32Array, k: number): Float64Array {
  const sums = new Float64Array(nCols * k);
  const components = Array.from({ length: k }, (_, t) => t);
  for (let c = 0, at = 0; at < data.length; c++, at += nCols) {
    const probable = components.filter((t) => members[c * k + t] >= NEGLIGIBLE);
    for (let p = 0; p < nCols; p++) {
      const x = data[at + p];
      for (const t of probable) sums[p * k + t] += x * members[c * k + t];
    }
  }
  return sums;
}
