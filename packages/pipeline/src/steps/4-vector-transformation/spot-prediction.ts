import type { SparseMatrix } from "../../fields.ts";
import { multiplyDense } from "../../numerics/sparse.ts";
import { spotTotals } from "./fit-expression.ts";

/** Median of the spots' totals, what counts are brought to before they are compared. */
export function medianTotal(byGene: SparseMatrix): number {
  return spotTotals(byGene).sort()[byGene.nCols >> 1] || 1;
}

/** log1p of counts scaled to the target total, genes × spots, dense. */
export function normalisedCounts(byGene: SparseMatrix, target: number): Float32Array<ArrayBuffer> {
  const nSpots = byGene.nCols;
  const totals = spotTotals(byGene);
  const out = new Float32Array(byGene.nRows * nSpots);
  for (let g = 0; g < byGene.nRows; g++) {
    for (let k = byGene.indptr[g]; k < byGene.indptr[g + 1]; k++) {
      const s = byGene.indices[k];
      out[g * nSpots + s] = Math.log1p((byGene.data[k] * target) / totals[s]);
    }
  }
  return out;
}

/** Share of each gene in the predicted counts of the spots for which `use` is 0, into genes × spots `shares`. */
export function predictShares(
  overlap: SparseMatrix,
  fit: { k: number; membership: Float32Array; profile: Float32Array },
  use: Uint8Array,
  shares: Float32Array,
): void {
  const { k, profile } = fit;
  const nSpots = overlap.nRows;
  const nGenes = profile.length / k;
  const exposure = multiplyDense(overlap, fit.membership, k);
  const totals = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    for (let g = 0; g < nGenes; g++) totals[j] += profile[j * nGenes + g];
  }
  for (let s = 0; s < nSpots; s++) {
    if (use[s]) continue;
    let total = 0;
    for (let j = 0; j < k; j++) total += exposure[s * k + j] * totals[j];
    if (!(total > 0)) continue;
    for (let g = 0; g < nGenes; g++) {
      let rate = 0;
      for (let j = 0; j < k; j++) rate += exposure[s * k + j] * profile[j * nGenes + g];
      shares[g * nSpots + s] = rate / total;
    }
  }
}
