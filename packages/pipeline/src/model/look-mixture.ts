import { kMeans } from "@stipple/numerics/k-means";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { designMatrix, secondMoments, type Columns } from "./cell-features.ts";
import { membership, type Gate } from "./prototypes.ts";
import { LOOK_GROUPS } from "./constants.ts";
import { GUARDS, ROUNDS, SAMPLES } from "./limits.ts";

/**
 * Groups of cells that look alike, found without using counts: a mixture of Gaussians with one covariance for all
 * groups, fitted by expectation–maximization (Dempster, Laird & Rubin 1977) on the leading principal components and
 * initialized by k-means. Cells of one type look alike, so the groups are close to types wherever types look different.
 * With one covariance, the posterior is a softmax of functions linear in the features: the weights are returned for φ =
 * [1, features]. O(cells · features² + sketch · k · components · rounds).
 */
export function lookMixture(features: Columns, k: number, seed: number): Gate {
  const P = features.nCols;
  const axes = leadingAxes(features, LOOK_GROUPS.COMPONENTS);
  const d = axes.variances.length;
  const n = features.data.length / P;
  const stride = Math.max(1, Math.ceil(n / SAMPLES.CELLS));
  const places = new Float32Array(Math.ceil(n / stride) * d);
  for (let c = 0, to = 0; c < n; c += stride, to += d) {
    for (let p = 0; p < P; p++) {
      const x = features.data[c * P + p];
      for (let j = 0; j < d; j++) places[to + j] += x * axes.vectors[p * d + j];
    }
  }
  const { slopes, offsets } = tiedMixture(places, d, axes.variances, k, seed);
  const found = offsets.length;
  const weights = new Float64Array((P + 1) * found);
  for (let j = 0; j < found; j++) {
    weights[j] = offsets[j];
    for (let p = 0; p < P; p++) {
      let sum = 0;
      for (let i = 0; i < d; i++) sum += axes.vectors[p * d + i] * slopes[j * d + i];
      weights[(p + 1) * found + j] = sum;
    }
  }
  return { weights, k: found };
}

/** Posterior of the groups of {@link lookMixture} for every cell, nCells × k. */
export function lookMembership(features: Columns, gate: Gate): Float32Array<ArrayBuffer> {
  return membership(designMatrix(features.data.length / features.nCols, [features]), gate);
}

/** Principal axes (P × d) of standardized features and the variances along them; empty directions are dropped. */
function leadingAxes(
  features: Columns,
  most: number,
): { vectors: Float64Array; variances: Float64Array } {
  const P = features.nCols;
  const { values, vectors } = symmetricEigen(secondMoments(features, 0), P);
  let d = 0;
  while (d < Math.min(most, P) && values[d] > 1e-6 * values[0]) d++;
  const kept = new Float64Array(P * d);
  for (let p = 0; p < P; p++) for (let j = 0; j < d; j++) kept[p * d + j] = vectors[p * P + j];
  return { vectors: kept, variances: values.slice(0, d) };
}

/** Discriminant functions slope · z + offset of each group, at centered positions z (n × d). */
function tiedMixture(
  places: Float32Array,
  d: number,
  variances: Float64Array,
  k: number,
  seed: number,
): { slopes: Float64Array; offsets: Float64Array } {
  const n = places.length / d;
  const start = kMeans(places, d, k, { seed });
  const found = start.centers.length / d;
  let posterior = new Float32Array(n * found);
  const withOnes = designMatrix(n, [{ data: places, nCols: d }]);
  start.assigned.forEach((j, c) => (posterior[c * found + j] = 1));
  const center = new Float64Array(found * d);
  const size = new Float64Array(found);
  const slopes = new Float64Array(found * d);
  const offsets = new Float64Array(found);
  for (let round = 0; round < ROUNDS.GROUPS; round++) {
    center.fill(0);
    size.fill(0);
    for (let c = 0; c < n; c++) {
      for (let j = 0; j < found; j++) {
        const share = posterior[c * found + j];
        if (share < 1e-6) continue;
        size[j] += share;
        for (let i = 0; i < d; i++) center[j * d + i] += share * places[c * d + i];
      }
    }
    for (let j = 0; j < found; j++) {
      for (let i = 0; i < d; i++) center[j * d + i] /= size[j] + 1e-9;
    }
    const precision = withinPrecision(center, size, variances, n);
    for (let j = 0; j < found; j++) {
      offsets[j] = Math.log((size[j] + 1e-9) / n);
      for (let i = 0; i < d; i++) {
        let sum = 0;
        for (let l = 0; l < d; l++) sum += precision[i * d + l] * center[j * d + l];
        slopes[j * d + i] = sum;
        offsets[j] -= 0.5 * sum * center[j * d + i];
      }
    }
    posterior = posteriorsAt(withOnes, slopes, offsets);
  }
  return { slopes, offsets };
}

/** Inverse of the covariance within groups = total − between. */
function withinPrecision(
  center: Float64Array,
  size: Float64Array,
  variances: Float64Array,
  n: number,
): Float64Array {
  const d = variances.length;
  const within = new Float64Array(d * d);
  for (let i = 0; i < d; i++) within[i * d + i] = (1 + GUARDS.MIN_VARIANCE) * variances[i];
  for (let j = 0; j < size.length; j++) {
    for (let i = 0; i < d; i++) {
      for (let l = 0; l < d; l++) {
        within[i * d + l] -= (size[j] / n) * center[j * d + i] * center[j * d + l];
      }
    }
  }
  const { values, vectors } = symmetricEigen(within, d);
  const precision = new Float64Array(d * d);
  for (let a = 0; a < d; a++) {
    const value = Math.max(values[a], 1e-4 * values[0]);
    for (let i = 0; i < d; i++) {
      for (let l = 0; l < d; l++) {
        precision[i * d + l] += (vectors[i * d + a] * vectors[l * d + a]) / value;
      }
    }
  }
  return precision;
}

/** Posteriors of the groups (n × k) at positions given as n × (1 + d) with leading ones. */
function posteriorsAt(
  places: Columns,
  slopes: Float64Array,
  offsets: Float64Array,
): Float32Array<ArrayBuffer> {
  const k = offsets.length;
  const d = slopes.length / k;
  const weights = new Float64Array((1 + d) * k);
  for (let j = 0; j < k; j++) {
    weights[j] = offsets[j];
    for (let i = 0; i < d; i++) weights[(1 + i) * k + j] = slopes[j * d + i];
  }
  return membership(places, { weights, k });
}
