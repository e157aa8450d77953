import type { SparseMatrix } from "../../fields.ts";
import { spotTotals } from "../../model/spot-totals.ts";

export interface InformativeGenes {
  /** Gene indices, most informative first. */
  genes: number[];
  /**
   * Excess of each of them (`geneExcess`): mean of (y − μ)² / μ over spots, less 1, where μ is the gene's share of the spot's
   * total.
   */
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

/** How far an excess must lie above 0 to be sure, in standard errors of what counting noise alone gives. */
const SURE_FROM = 2;
/** Fewer genes than this say too little together. */
const FEWEST_VARYING = 20;

/**
 * How much each gene is sure to vary between spots beyond Poisson noise: its excess less two standard errors; 0 where it
 * may not vary, or has too few counts to tell. The excess is, up to a factor of two, the log-likelihood a spot gains by
 * modeling the gene, so it is also what a gene may weigh in the fit. Where (y − μ)²/μ is noise, its variance is 2 + 1/μ:
 * of thousands of rare genes, some would otherwise seem to vary more than any other. O(entries).
 */
export function geneExcess(byGene: SparseMatrix): Float64Array<ArrayBuffer> {
  const total = spotTotals(byGene);
  let [everything, filled, inverse] = [0, 0, 0];
  for (const value of total) {
    if (value === 0) continue;
    everything += value;
    filled++;
    inverse += 1 / value;
  }
  const excess = new Float64Array(byGene.nRows);
  const sure = new Float64Array(byGene.nRows);
  let nSure = 0;
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
    const error = Math.sqrt((2 + inverse / filled / share) / filled);
    excess[g] = Math.max(0, chi / filled - 1);
    sure[g] = Math.max(0, excess[g] - SURE_FROM * error);
    if (sure[g] > 0) nSure++;
  }
  return nSure < FEWEST_VARYING ? excess : sure;
}

/**
 * Those of some genes that are sure to vary between spots; all where hardly any does. Only they tell a good prediction from
 * a bad one: of a whole transcriptome, most genes hold nothing but noise, which every prediction misses alike.
 */
export function varyingGenes(genes: readonly number[], excess: Float64Array): readonly number[] {
  const varying = genes.filter((gene) => excess[gene] > 0);
  return varying.length < FEWEST_VARYING ? genes : varying;
}
