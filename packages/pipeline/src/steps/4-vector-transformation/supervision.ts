import type { SparseMatrix } from "@stipple/numerics/matrices";
import { matrixProduct, matrixRoot, transposeDense } from "@stipple/numerics/dense";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { secondMoments, type Columns } from "../../model/cell-features.ts";
import { LEARNED_PART } from "../../model/constants.ts";
import { GRIDS, GUARDS } from "../../model/limits.ts";

const { ALPHAS } = GRIDS;
const { FREE } = GUARDS;

export interface Supervision {
  /** P × nDims, row-major: a cell's position in expression space is q = φ · head. */
  head: Float64Array;
  nDims: number;
}

/**
 * Weak supervision in closed form. A linear head commutes with the sum over a spot's cells, so ridge regression of the
 * spot counts on Φ = Aφ is a regression over cells: β = (ΦᵀΦ + αI)⁻¹ΦᵀY, with rows and genes scaled to unit Poisson
 * noise and α from generalized cross-validation (Golub, Heath & Wahba 1979). The head keeps the leading
 * directions of the predicted expression φβ, so its distances reflect expression rather than shape.
 * O(nSpots · P² + entries · P + P² · genes).
 */
export function supervise(
  phi: Columns,
  /** Φ = Aφ, nSpots × P; spots without cells are all zero and are ignored. */
  design: Float32Array,
  /** Genes × spots: the informative genes only. */
  byGene: SparseMatrix,
): Supervision {
  const P = phi.nCols;
  const G = byGene.nRows;
  const nSpots = design.length / P;
  // φ's first column is 1, so Φ's first column is the RNA mass that the spot captures.
  const scale = new Float64Array(nSpots);
  let used = 0;
  for (let s = 0; s < nSpots; s++) {
    if (!(design[s * P] > 0)) continue;
    scale[s] = 1 / Math.sqrt(design[s * P]);
    used++;
  }
  const gram = new Float64Array(P * P);
  for (let s = 0; s < nSpots; s++) {
    if (scale[s] === 0) continue;
    for (let p = 0; p < P; p++) {
      const x = design[s * P + p] * scale[s] ** 2;
      for (let q = 0; q <= p; q++) gram[p * P + q] += x * design[s * P + q];
    }
  }
  for (let p = 0; p < P; p++) for (let q = 0; q < p; q++) gram[q * P + p] = gram[p * P + q];
  for (let p = 0; p < P; p++) {
    gram[p] *= FREE;
    gram[p * P] *= FREE;
  }
  const cross = new Float64Array(P * G);
  // A gene's sums, kept contiguous because many entries add to each.
  const own = new Float64Array(P);
  let squares = 0;
  for (let j = 0; j < G; j++) {
    let sum = 0;
    for (let k = byGene.indptr[j]; k < byGene.indptr[j + 1]; k++) {
      if (scale[byGene.indices[k]] > 0) sum += byGene.data[k];
    }
    if (sum === 0) continue;
    const unit = 1 / Math.sqrt(sum / used);
    own.fill(0);
    for (let k = byGene.indptr[j]; k < byGene.indptr[j + 1]; k++) {
      const s = byGene.indices[k];
      const y = byGene.data[k] * unit * scale[s];
      squares += y * y;
      const weight = y * scale[s];
      for (let p = 0, at = s * P; p < P; p++, at++) own[p] += weight * design[at];
    }
    for (let p = 0; p < P; p++) cross[p * G + j] = own[p];
  }
  for (let j = 0; j < G; j++) cross[j] *= FREE;

  const { values, vectors } = symmetricEigen(gram, P);
  const rotated = matrixProduct(transposeDense(vectors, P, P), cross, P, P, G);
  const penaltyUnit = values.slice(1).reduce((a, b) => a + Math.max(0, b), 0) / Math.max(1, P - 1);
  const alpha = chooseAlpha(values, rotated, G, squares, used, penaltyUnit);
  for (let i = 0; i < P; i++) {
    const shrink = 1 / (Math.max(0, values[i]) + alpha * penaltyUnit || 1);
    for (let j = 0; j < G; j++) rotated[i * G + j] *= shrink;
  }
  const beta = matrixProduct(vectors, rotated, P, P, G);
  beta.fill(0, 0, G); // the intercept shifts every cell equally
  return leadingDirections(phi, beta);
}

/** Penalty that minimizes the generalized cross-validation score over all genes together. */
function chooseAlpha(
  values: Float64Array,
  rotated: Float64Array,
  nGenes: number,
  squares: number,
  nSpots: number,
  unit: number,
): number {
  const power = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    for (let j = 0; j < nGenes; j++) power[i] += rotated[i * nGenes + j] ** 2;
  }
  let best = ALPHAS[ALPHAS.length - 1];
  let least = Infinity;
  for (const alpha of ALPHAS) {
    let freedom = 0;
    let residual = squares;
    values.forEach((value, i) => {
      const d = Math.max(0, value);
      const shrunk = d + alpha * unit;
      if (shrunk === 0) return;
      freedom += d / shrunk;
      residual -= power[i] * (2 / shrunk - d / shrunk ** 2);
    });
    const left = nSpots - freedom;
    if (left > 1 && residual / left ** 2 < least) {
      least = residual / left ** 2;
      best = alpha;
    }
  }
  return best;
}

/** Principal directions of φβ over the cells, using the P × P matrix C^½ββᵀC^½ instead of cells × genes. */
function leadingDirections(phi: Columns, beta: Float64Array): Supervision {
  const P = phi.nCols;
  const nGenes = beta.length / P;
  const inner = matrixProduct(beta, transposeDense(beta, P, nGenes), P, nGenes, P);
  const covariance = secondMoments(phi, 0);
  for (let p = 0; p < P; p++) covariance[p] = covariance[p * P] = 0; // the column of ones
  const root = matrixRoot(covariance, P);
  const half = matrixProduct(inner, root, P, P, P);
  const { values, vectors } = symmetricEigen(matrixProduct(root, half, P, P, P), P);
  const kept = values.findIndex((value) => !(value > 1e-9 * values[0]));
  const width = Math.max(1, Math.min(LEARNED_PART.SUPERVISED_DIMS, kept < 0 ? P : kept));
  const turned = matrixProduct(half, vectors, P, P, P);
  const head = new Float64Array(P * width);
  for (let d = 0; d < width; d++) {
    const sigma = Math.sqrt(Math.max(values[d], 0));
    if (sigma === 0) continue;
    for (let p = 0; p < P; p++) head[p * width + d] = turned[p * P + d] / sigma;
  }
  return { head, nDims: width };
}
