import { matrixProduct, transposeDense } from "@stipple/numerics/dense";
import { kMeans } from "@stipple/numerics/k-means";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { designMatrix, secondMoments, type Columns } from "./cell-features.ts";
import { membership, sampledPlaces, type Gate } from "./prototypes.ts";
import { LOOK_GROUPS } from "./constants.ts";
import { GUARDS, ROUNDS } from "./limits.ts";

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
  const places = sampledPlaces(features, axes.vectors, d);
  const { slopes, offsets } = tiedMixture(places, d, axes.variances, k, seed);
  return gateOf(matrixProduct(axes.vectors, slopes, P, d, offsets.length), offsets);
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

/** Discriminant functions z · slopes + offset of each group (slopes: d × groups), at centered positions z (n × d). */
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
  let slopes = new Float64Array(d * found);
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
    slopes = matrixProduct(precision, transposeDense(center, found, d), d, d, found);
    for (let j = 0; j < found; j++) {
      offsets[j] = Math.log((size[j] + 1e-9) / n);
      for (let i = 0; i < d; i++) offsets[j] -= 0.5 * slopes[i * found + j] * center[j * d + i];
    }
    posterior = membership(withOnes, gateOf(slopes, offsets));
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

/** Discriminant functions as a gate of positions after a one. */
function gateOf(slopes: Float64Array, offsets: Float64Array): Gate {
  return { weights: Float64Array.of(...offsets, ...slopes), k: offsets.length };
}
