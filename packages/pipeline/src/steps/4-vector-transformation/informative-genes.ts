import type { SparseMatrix } from "@stipple/numerics/matrices";
import { countScatter } from "./count-scatter.ts";
import { ENOUGH } from "../../model/constants.ts";

const { COUNTS: MIN_COUNTS, SURE_FROM, GENES: MIN_VARYING } = ENOUGH;

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
    if (sum < MIN_COUNTS) return;
    const noise = 1 + dispersion * mean;
    const error = Math.sqrt((2 + 6 * dispersion + inverse / noise) / nSpots);
    excess[gene] = Math.max(0, (surplus - dispersion * mean) / noise);
    sure[gene] = Math.max(0, excess[gene] - SURE_FROM * error);
    if (sure[gene] > 0) nSure++;
  });
  return nSure < MIN_VARYING ? excess : sure;
}

/**
 * The given genes that clearly vary between spots, or all if hardly any does. Only these distinguish good predictions
 * from bad: in a whole transcriptome, most genes are pure noise, which no prediction captures.
 */
export function varyingGenes(genes: readonly number[], excess: Float64Array): readonly number[] {
  const varying = genes.filter((gene) => excess[gene] > 0);
  return varying.length < MIN_VARYING ? genes : varying;
}
