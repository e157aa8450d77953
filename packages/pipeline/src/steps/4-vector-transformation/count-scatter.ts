import type { SparseMatrix } from "@stipple/numerics/matrices";
import { spotTotals } from "../../model/spot-totals.ts";

/** Scatter of one gene's counts around its share of the spots' totals. */
export interface GeneScatter {
  gene: number;
  /** Total count of the gene over all spots. */
  sum: number;
  /** Mean of μ over the spots with any counts. */
  mean: number;
  /** Mean of 1/μ. */
  inverse: number;
  /** Mean of (y − μ)²/μ, minus 1: about φμ for dispersion φ. */
  surplus: number;
  nSpots: number;
}

/** Visits every gene with counts, in order. μ: the gene's share of all counts × the spot's total. O(entries). */
export function countScatter(byGene: SparseMatrix, visit: (scatter: GeneScatter) => void): void {
  const total = spotTotals(byGene);
  let [everything, nSpots, inverse] = [0, 0, 0];
  for (const value of total) {
    if (value === 0) continue;
    everything += value;
    nSpots++;
    inverse += 1 / value;
  }
  for (let gene = 0; gene < byGene.nRows; gene++) {
    let sum = 0;
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) sum += byGene.data[k];
    if (sum === 0) continue;
    const share = sum / everything;
    // Σ (y − μ)²/μ = Σ y²/μ − 2 Σ y + Σ μ, and Σ μ = Σ y.
    let chi = -sum;
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
      chi += byGene.data[k] ** 2 / (share * total[byGene.indices[k]]);
    }
    visit({
      gene,
      sum,
      mean: sum / nSpots,
      inverse: inverse / nSpots / share,
      surplus: chi / nSpots - 1,
      nSpots,
    });
  }
}
