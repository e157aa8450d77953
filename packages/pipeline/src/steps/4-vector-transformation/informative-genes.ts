import type { SparseMatrix } from "@stipple/numerics/matrices";
import { COUNT_DISPERSION, ENOUGH } from "../../model/constants.ts";
import { spotTotals } from "../../model/spot-totals.ts";

export interface InformativeGenes {
  /** Gene indices, most informative first. */
  genes: number[];
  /** Excess of each of them, see {@link geneExcess}. */
  excess: Float64Array;
}

/** Genes that vary between spots beyond Poisson noise, ranked by how much. O(entries). */
export function informativeGenes(
  byGene: SparseMatrix,
  limit: number,
  dispersion = 0,
): InformativeGenes {
  return mostInformative(geneExcess(byGene, dispersion), limit);
}

/** The genes with the largest excess, at most `limit`. */
export function mostInformative(all: Float64Array, limit: number): InformativeGenes {
  const genes = Array.from(all.keys())
    .filter((g) => all[g] > 0)
    .sort((a, b) => all[b] - all[a] || a - b)
    .slice(0, limit);
  return { genes, excess: Float64Array.from(genes, (g) => all[g]) };
}

/**
 * Lower bound on each gene's variation between spots beyond counting noise: its excess minus two standard errors, or 0
 * if it may not vary or has too few counts. If hardly any gene clearly varies, the raw excess instead. The excess is
 * the mean of (y − μ)²/v over spots, minus 1, with v = μ(1 + φμ) and φ the `dispersion` common to all genes. Up to a
 * factor of two, it is the log-likelihood gained per spot by modeling the gene, so it also serves as the gene's weight
 * in the fit. Under noise alone, (y − μ)²/v has variance 2 + 6φ + 1/v: among thousands of rare genes, some would
 * otherwise seem to vary most of all. O(entries).
 */
export function geneExcess(byGene: SparseMatrix, dispersion = 0): Float64Array<ArrayBuffer> {
  const excess = new Float64Array(byGene.nRows);
  const sure = new Float64Array(byGene.nRows);
  let nSure = 0;
  countScatter(byGene, ({ gene, sum, mean, inverse, surplus, nSpots }) => {
    if (sum < ENOUGH.COUNTS) return;
    const noise = 1 + dispersion * mean;
    const error = Math.sqrt((2 + 6 * dispersion + inverse / noise) / nSpots);
    excess[gene] = Math.max(0, (surplus - dispersion * mean) / noise);
    sure[gene] = Math.max(0, excess[gene] - ENOUGH.SURE_FROM * error);
    if (sure[gene] > 0) nSure++;
  });
  return nSure < ENOUGH.GENES ? excess : sure;
}

/**
 * The given genes that clearly vary between spots, or all if hardly any does. Only these distinguish good predictions
 * from bad: in a whole transcriptome, most genes are pure noise, which no prediction captures.
 */
export function varyingGenes(genes: readonly number[], excess: Float64Array): readonly number[] {
  const varying = genes.filter((gene) => excess[gene] > 0);
  return varying.length < ENOUGH.GENES ? genes : varying;
}

/**
 * Squared coefficient of variation of spot counts beyond Poisson that even the least variable genes show: technical
 * noise from reaction and sequencing, common to all genes. 0 if counts are Poisson or spots too shallow to tell.
 * With few spots, the lowest tenth of the genes falls below the true value, so the estimate errs on the low side.
 * O(entries).
 */
export function countDispersion(byGene: SparseMatrix): number {
  const found: number[] = [];
  countScatter(byGene, ({ mean, inverse, surplus, nSpots }) => {
    const error = Math.sqrt((2 + inverse) / nSpots) / mean;
    if (mean >= COUNT_DISPERSION.MIN_MEAN && error <= COUNT_DISPERSION.LARGEST_ERROR)
      found.push(surplus / mean);
  });
  if (found.length < ENOUGH.GENES) return 0;
  found.sort((a, b) => a - b);
  return Math.max(0, found[Math.floor(COUNT_DISPERSION.LOWEST * found.length)]);
}

/**
 * Divides each gene's row by 1 + φμ. With dispersion φ, a count has variance μ(1 + φμ), so fitting the result as
 * Poisson counts gives abundant genes only the weight that their noise warrants. Returned unchanged if φ is 0.
 */
export function withoutSurplusWeight(
  byGene: SparseMatrix,
  nSpots: number,
  dispersion: number,
): SparseMatrix {
  if (dispersion === 0) return byGene;
  const data = byGene.data.slice();
  for (let g = 0; g < byGene.nRows; g++) {
    const row = data.subarray(byGene.indptr[g], byGene.indptr[g + 1]);
    const mean = row.reduce((sum, value) => sum + value, 0) / Math.max(1, nSpots);
    for (let k = 0; k < row.length; k++) row[k] /= 1 + dispersion * mean;
  }
  return { ...byGene, data };
}

/** Scatter of one gene's counts around its share of the spots' totals. */
interface GeneScatter {
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
function countScatter(byGene: SparseMatrix, visit: (scatter: GeneScatter) => void): void {
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
