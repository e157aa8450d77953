import type { ExpressionFit } from "./fit-expression.ts";
import { ENOUGH } from "../../model/constants.ts";
import { fisher } from "./cell-correlation.ts";

/**
 * Denoises held-out correlations by shrinkage (empirical Bayes, Efron & Morris 1975): on Fisher's z scale, every gene's
 * value is shrunk toward that of genes with the same visibility (a line in `visibility`), to the extent that noise
 * explains the scatter around it. With many spots there is little noise and little change. Genes that were not judged
 * stay NaN. `noise` is the variance of a single value on Fisher's z scale. O(genes).
 */
export function shrinkReliability(
  correlation: Float32Array,
  visibility: Float64Array,
  noise: number,
): Float32Array<ArrayBuffer> {
  const judged = Array.from(correlation.keys()).filter((g) => Number.isFinite(correlation[g]));
  if (judged.length < ENOUGH.GENES || !(noise > 0)) return Float32Array.from(correlation);
  const x = judged.map((g) => visibility[g]);
  const z = judged.map((g) => fisher(correlation[g]));
  const meanX = mean(x);
  const meanZ = mean(z);
  const spread = mean(x.map((value) => (value - meanX) ** 2));
  const joint = mean(x.map((value, i) => (value - meanX) * (z[i] - meanZ)));
  const slope = spread > 0 ? joint / spread : 0;
  const line = x.map((value) => meanZ + slope * (value - meanX));
  const scatter = mean(z.map((value, i) => (value - line[i]) ** 2));
  const kept = scatter > 0 ? Math.max(0, scatter - noise) / scatter : 0;
  const out = new Float32Array(correlation.length).fill(NaN);
  judged.forEach((g, i) => (out[g] = Math.tanh(line[i] + kept * (z[i] - line[i]))));
  return out;
}

/**
 * Part of each gene's scatter over single cells that is not counting noise: sd(λ)/√(var(λ) + mean(λ)), the correlation
 * of a true rate λ with counts drawn from it. Uses the covariance of the memberships: O(nCells · k² + genes · k²).
 */
export function visibilityOf(
  fit: Pick<ExpressionFit, "k" | "membership" | "profile">,
): Float64Array<ArrayBuffer> {
  const { k, membership, profile } = fit;
  const nCells = membership.length / k;
  const nGenes = profile.length / k;
  const center = new Float64Array(k);
  const products = new Float64Array(k * k);
  for (let c = 0; c < nCells; c++) {
    for (let i = 0; i < k; i++) {
      const m = membership[c * k + i];
      if (m === 0) continue;
      center[i] += m / nCells;
      for (let j = 0; j <= i; j++) products[i * k + j] += (m * membership[c * k + j]) / nCells;
    }
  }
  const visibility = new Float64Array(nGenes);
  for (let g = 0; g < nGenes; g++) {
    let rate = 0;
    let squares = 0;
    for (let i = 0; i < k; i++) {
      const b = profile[i * nGenes + g];
      rate += center[i] * b;
      for (let j = 0; j <= i; j++) {
        squares += (i === j ? 1 : 2) * b * profile[j * nGenes + g] * products[i * k + j];
      }
    }
    const variance = Math.max(0, squares - rate * rate);
    if (variance + rate > 0) visibility[g] = Math.sqrt(variance / (variance + rate));
  }
  return visibility;
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
