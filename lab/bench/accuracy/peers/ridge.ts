import { matrixProduct } from "@stipple/numerics/dense";
import { symmetricEigen } from "@stipple/numerics/symmetric-eigen";
import { standardized, type AnalyzedTissue, type FoundCellPrediction } from "./analyzed-tissue.ts";

/** Penalty relative to the mean eigenvalue of the design's cross-product. */
const ALPHA = 1;

/**
 * Weakly supervised ridge regression: a linear head on cell features, fitted to the spot counts through the
 * capture matrix, β = (ΦᵀΦ + αI)⁻¹ΦᵀY with Φ = A[1, φ]; negative predictions become 0. O(spots · P² + P³ + P² ·
 * genes).
 */
export function ridge(tissue: AnalyzedTissue): FoundCellPrediction {
  const { capture, counts } = tissue;
  const z = standardized(tissue.features);
  const P = z.nCols + 1;
  const G = counts.nCols;
  const design = new Float64Array(capture.nRows * P);
  for (let spot = 0; spot < capture.nRows; spot++) {
    for (let k = capture.indptr[spot]; k < capture.indptr[spot + 1]; k++) {
      const weight = capture.data[k];
      const at = capture.indices[k] * z.nCols;
      design[spot * P] += weight;
      for (let p = 1; p < P; p++) design[spot * P + p] += weight * z.data[at + p - 1];
    }
  }
  const gram = new Float64Array(P * P);
  const cross = new Float64Array(P * G);
  for (let spot = 0; spot < capture.nRows; spot++) {
    for (let p = 0; p < P; p++) {
      const x = design[spot * P + p];
      for (let q = 0; q < P; q++) gram[p * P + q] += x * design[spot * P + q];
      for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
        cross[p * G + counts.indices[k]] += x * counts.data[k];
      }
    }
  }
  let trace = 0;
  for (let p = 1; p < P; p++) trace += gram[p * P + p];
  // The intercept is barely penalized because it represents the mean cell.
  for (let p = 0; p < P; p++) {
    gram[p * P + p] += p === 0 ? 1e-9 : (ALPHA * trace) / Math.max(1, P - 1);
  }
  const { values, vectors } = symmetricEigen(gram, P);
  const turned = new Float64Array(P * P);
  for (let i = 0; i < P; i++) {
    for (let p = 0; p < P; p++) turned[i * P + p] = vectors[p * P + i] / values[i];
  }
  const beta = matrixProduct(vectors, matrixProduct(turned, cross, P, P, G), P, P, G);
  return (cell, row) => {
    for (let gene = 0; gene < G; gene++) row[gene] = beta[gene]!;
    for (let p = 1; p < P; p++) {
      const value = z.data[cell * z.nCols + p - 1];
      for (let gene = 0; gene < G; gene++) row[gene] += value * beta[p * G + gene];
    }
    for (let gene = 0; gene < G; gene++) row[gene] = Math.max(0, row[gene]);
  };
}
