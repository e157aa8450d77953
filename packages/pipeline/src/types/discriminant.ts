import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { membership, type Gate } from "../model/prototypes.ts";
import { TYPE_FEATURES } from "../model/type-constants.ts";

const { RIDGE } = TYPE_FEATURES;

/** Features of cells, nCells × nCols; the first column is all ones. */
interface Features {
  data: Float32Array;
  nCols: number;
}

/**
 * Opens linear discriminants (Fisher 1936) between the components of gates, from the component means of the cells and
 * the within-component covariance. A gate fitted to a few dozen spots contains their noise in each of its weights. Means of
 * thousands of cells, most of them not captured by any spot, differ mainly along directions in which the cells really
 * separate: weights along these are kept, and others shrink. O(cells · features²), and for each gate
 * O(cells · features · components + features³).
 */
export function openDiscriminant(phi: Features): (gate: Gate) => Gate {
  const moments = secondMoments(phi);
  return (gate) => discriminantOf(phi, moments, gate);
}

function discriminantOf(phi: Features, moments: Float64Array, gate: Gate): Gate {
  const { data, nCols } = phi;
  const { k } = gate;
  const d = nCols - 1;
  const nCells = data.length / nCols;
  const sums = sumsBy(phi, membership(phi, gate), k);
  const covariance = moments.slice();
  const sizes = Float64Array.from({ length: k }, (_, t) => Math.max(1e-9, sums[t]));
  const mean = (t: number, p: number): number => sums[(p + 1) * k + t] / sizes[t];
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
    weights[t] = Math.log(sizes[t] / nCells) - norm / 2;
  }
  return { weights, k };
}

/** φᵀM, nCols × k. */
function sumsBy({ data, nCols }: Features, members: Float32Array, k: number): Float64Array {
  const sums = new Float64Array(nCols * k);
  for (let c = 0, at = 0; at < data.length; c++, at += nCols) {
    for (let p = 0; p < nCols; p++) {
      const x = data[at + p];
      for (let t = 0; t < k; t++) sums[p * k + t] += x * members[c * k + t];
    }
  }
  return sums;
}

/** Mean products of the features, without the ones. */
function secondMoments({ data, nCols }: Features): Float64Array {
  const d = nCols - 1;
  const nCells = data.length / nCols;
  const sums = new Float64Array(d * d);
  for (let at = 1; at < data.length; at += nCols) {
    for (let p = 0; p < d; p++) {
      const x = data[at + p] / nCells;
      for (let q = 0; q <= p; q++) sums[p * d + q] += x * data[at + q];
    }
  }
  for (let p = 0; p < d; p++) for (let q = 0; q < p; q++) sums[q * d + p] = sums[p * d + q];
  return sums;
}
