import type { SparseMatrix } from "../../fields.ts";
import { spotTotals } from "../../model/spot-totals.ts";

export interface InformativeGenes {
  /** Gene indices, most informative first. */
  genes: number[];
  /** Excess of each of them: mean of (y − μ)² / μ over spots, less 1, where μ is the gene's share of the spot's total. */
  excess: Float64Array;
}

/** Genes with fewer counts than this say nothing about differences between spots. */
const LEAST_COUNTS = 20;

/** Genes that vary between spots beyond Poisson noise, ranked by how much. O(entries). */
export function informativeGenes(byGene: SparseMatrix, limit: number): InformativeGenes {
  return mostInformative(geneExcess(byGene), limit);
}

/** The genes of the largest excess, at most `limit`. */
export function mostInformative(all: Float64Array, limit: number): InformativeGenes {
  const genes = Array.from(all.keys())
    .filter((g) => all[g] > 0)
    .sort((a, b) => all[b] - all[a] || a - b)
    .slice(0, limit);
  return { genes, excess: Float64Array.from(genes, (g) => all[g]) };
}

/**
 * How much each gene varies between spots beyond Poisson noise; 0 where it does not, or has too few counts to tell. The
 * excess is, up to a factor of two, the log-likelihood a spot gains by modeling the gene, so it is also what a gene may
 * weigh in the fit. O(entries).
 */
export function geneExcess(byGene: SparseMatrix): Float64Array<ArrayBuffer> {
  const total = spotTotals(byGene);
  const everything = total.reduce((a, b) => a + b, 0);
  const filled = total.reduce((n, value) => n + (value > 0 ? 1 : 0), 0);
  const excess = new Float64Array(byGene.nRows);
  for (let g = 0; g < byGene.nRows; g++) {
    let sum = 0;
    for (let k = byGene.indptr[g]; k < byGene.indptr[g + 1]; k++) sum += byGene.data[k];
    if (sum < LEAST_COUNTS) continue;
    const share = sum / everything;
    // Σ (y − μ)²/μ = Σ y²/μ − 2 Σ y + Σ μ, and Σ μ = Σ y.
    let chi = -sum;
    for (let k = byGene.indptr[g]; k < byGene.indptr[g + 1]; k++) {
      chi += byGene.data[k] ** 2 / (share * total[byGene.indices[k]]);
    }
    excess[g] = Math.max(0, chi / filled - 1);
  }
  return excess;
}
