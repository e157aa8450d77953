import { softmax } from "@stipple/numerics/softmax";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { secondMoments, type Columns } from "../model/cell-features.ts";
import { membership, type Gate } from "../model/prototypes.ts";
import { GUARDS, ROUNDS, SAMPLES } from "../model/limits.ts";

const { NEGLIGIBLE } = GUARDS;

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
 * are features. The likelihood is raised to the power with which looks best predict the posterior: features that are not
 * normal, or depend on each other otherwise in some types, say less than they seem to, and means over cells of uncertain
 * type lie too close together. O(cells · features · (features + probable types)).
 */
export function weighByLooks(posterior: Float32Array, phi: Columns): void {
  const nCells = phi.data.length / phi.nCols;
  const k = posterior.length / nCells;
  const { weights } = logLikelihoods(phi, secondMoments(phi, 1), posterior, phi.nCols - 1);
  const power = powerOfLooks(posterior, phi, weights);
  const odds = new Float64Array(k);
  for (let cell = 0; cell < nCells; cell++) {
    const own = posterior.subarray(cell * k, (cell + 1) * k);
    for (let t = 0; t < k; t++) {
      odds[t] =
        own[t] < NEGLIGIBLE
          ? -Infinity
          : Math.log(own[t]) + power * lookOf(phi, cell, weights, t, k);
    }
    softmax(odds);
    own.set(odds);
  }
}

/**
 * The power w for which shares of types ∝ π_t · likelihood_t^w, π_t their mean, are likeliest given the posterior; Newton's
 * method in one unknown, on a sample of cells. O(sampled cells · types · (features + rounds)).
 */
function powerOfLooks(posterior: Float32Array, phi: Columns, weights: Float64Array): number {
  const nCells = phi.data.length / phi.nCols;
  const k = posterior.length / nCells;
  const share = new Float64Array(k);
  for (let i = 0; i < posterior.length; i++) share[i % k] += posterior[i] / nCells;
  const occurring = Array.from(share.keys()).filter((t) => share[t] * nCells >= GUARDS.MIN_MASS);
  const stride = Math.ceil(nCells / SAMPLES.CELLS);
  const sampled: { looks: number[]; expected: number }[] = [];
  for (let cell = 0; cell < nCells; cell += stride) {
    const looks = occurring.map((t) => lookOf(phi, cell, weights, t, k));
    const expected = occurring.reduce((sum, t, i) => sum + posterior[cell * k + t] * looks[i], 0);
    sampled.push({ looks, expected });
  }
  let power = 1;
  const odds = new Float64Array(occurring.length);
  for (let round = 0; round < ROUNDS.PROFILES; round++) {
    let slope = 0;
    let curvature = 1e-9;
    for (const { looks, expected } of sampled) {
      occurring.forEach((t, i) => (odds[i] = Math.log(share[t]) + power * looks[i]));
      softmax(odds);
      let mean = 0;
      let square = 0;
      for (let i = 0; i < looks.length; i++) {
        mean += odds[i] * looks[i];
        square += odds[i] * looks[i] ** 2;
      }
      slope += expected - mean;
      curvature += square - mean ** 2;
    }
    power = Math.max(0, power + slope / curvature);
  }
  return power;
}

/** Log likelihood of a cell's look if it is of type `t` of `k`, up to a constant. */
function lookOf(
  { data, nCols }: Columns,
  cell: number,
  weights: Float64Array,
  t: number,
  k: number,
): number {
  let sum = 0;
  for (let p = 0; p < nCols; p++) sum += data[cell * nCols + p] * weights[p * k + t];
  return sum;
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
  const ridge = Math.max(1e-9, (GUARDS.ADDED_VARIANCE * trace) / d);
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
