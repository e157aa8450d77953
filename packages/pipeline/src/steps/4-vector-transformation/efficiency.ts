import KDBush from "kdbush";
import { EFFICIENCY } from "../../model/constants.ts";

/**
 * Estimates each spot's RNA capture efficiency from the ratio of observed to predicted totals. Efficiencies are
 * independent between spots, while real differences in RNA content extend over neighboring spots: the smooth part of
 * the log ratio is attributed to the tissue, and only the remainder beyond counting noise to efficiency.
 * The smooth part is the simple-kriging mean (Matheron 1963) under an exponential covariance whose sill and nugget come
 * from the covariance of neighbors. Returns 1 where nothing is known. O(spots · neighbors³).
 */
export function spotEfficiency(
  totals: ArrayLike<number>,
  predicted: ArrayLike<number>,
  spotsXy: { readonly data: ArrayLike<number>; readonly nRows: number },
  pitchPx: number,
): Float32Array<ArrayBuffer> {
  const used: number[] = [];
  const efficiency = new Float32Array(spotsXy.nRows).fill(1);
  for (let s = 0; s < spotsXy.nRows; s++) if (totals[s] > 0 && predicted[s] > 0) used.push(s);
  if (used.length < 3) return efficiency;
  const ratio = Float64Array.from(used, (s) => Math.log(totals[s] / predicted[s]));
  const x = Float64Array.from(used, (s) => spotsXy.data[2 * s] / pitchPx);
  const y = Float64Array.from(used, (s) => spotsXy.data[2 * s + 1] / pitchPx);
  const { smooth, nugget } = smoothPart(ratio, x, y);
  const noise = used.reduce((sum, s) => sum + 1 / totals[s], 0) / used.length;
  const share = nugget > 0 ? EFFICIENCY.POWER * Math.max(0, 1 - noise / nugget) : 0;
  used.forEach((s, i) => (efficiency[s] = Math.exp(share * (ratio[i] - smooth[i]))));
  return efficiency;
}

/** Local simple kriging of values at their own positions (in pitches). */
function smoothPart(
  values: Float64Array,
  x: Float64Array,
  y: Float64Array,
): { smooth: Float64Array; nugget: number } {
  const n = values.length;
  const tree = new KDBush(n);
  for (let i = 0; i < n; i++) tree.add(x[i], y[i]);
  tree.finish();
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / n;
  const smooth = new Float64Array(n).fill(mean);
  if (!(variance > 0)) return { smooth, nugget: 0 };
  const near = Array.from(x, (_, i) =>
    tree.within(x[i], y[i], EFFICIENCY.REACH).sort((a, b) => a - b),
  );
  let [products, pairs] = [0, 0];
  near.forEach((others, i) => {
    for (const j of others) {
      if (j === i || Math.hypot(x[i] - x[j], y[i] - y[j]) >= EFFICIENCY.NEIGHBORS) continue;
      products += (values[i] - mean) * (values[j] - mean);
      pairs++;
    }
  });
  const covarianceOfNeighbors = pairs > 0 ? products / pairs : 0;
  if (!(covarianceOfNeighbors > 0)) return { smooth, nugget: variance };
  const sill = Math.min(variance, covarianceOfNeighbors * Math.exp(1 / EFFICIENCY.RANGE));
  const nugget = Math.max(variance - sill, 0.02 * variance);
  near.forEach((others, i) => {
    const size = others.length;
    const matrix = new Float64Array(size * size);
    const right = Float64Array.from(others, (j) => values[j] - mean);
    const covariance = (a: number, b: number): number =>
      sill * Math.exp(-Math.hypot(x[a] - x[b], y[a] - y[b]) / EFFICIENCY.RANGE);
    for (let p = 0; p < size; p++) {
      for (let q = 0; q < size; q++) matrix[p * size + q] = covariance(others[p], others[q]);
      matrix[p * size + p] += nugget;
    }
    solveSymmetric(matrix, right, size);
    others.forEach((j, p) => (smooth[i] += right[p] * covariance(i, j)));
  });
  return { smooth, nugget };
}

/** Solves a positive definite system in place by Gaussian elimination; the solution replaces `right`. */
function solveSymmetric(matrix: Float64Array, right: Float64Array, n: number): void {
  for (let p = 0; p < n; p++) {
    for (let i = p + 1; i < n; i++) {
      const factor = matrix[i * n + p] / matrix[p * n + p];
      if (factor === 0) continue;
      for (let j = p; j < n; j++) matrix[i * n + j] -= factor * matrix[p * n + j];
      right[i] -= factor * right[p];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) right[i] -= matrix[i * n + j] * right[j];
    right[i] /= matrix[i * n + i];
  }
}
