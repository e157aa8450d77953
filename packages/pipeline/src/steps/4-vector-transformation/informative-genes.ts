import type { SparseMatrix } from "../../fields.ts";
import { countScatter } from "./count-scatter.ts";

export interface InformativeGenes {
  /** Gene indices, most informative first. */
  genes: number[];
  /** Excess of each of them, see {@link geneExcess}. */
  excess: Float64Array;
}

/** Genes with fewer counts than this say nothing about differences between spots. */
const LEAST_COUNTS = 20;

/** Genes that vary between spots beyond Poisson noise, ranked by how much. O(entries). */
export function informativeGenes(
  byGene: SparseMatrix,
  limit: number,
  dispersion = 0,
): InformativeGenes {
  return mostInformative(geneExcess(byGene, dispersion), limit);
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
 * How much each gene is sure to vary between spots beyond the noise of counting: its excess less two standard errors; 0 where it
 * may not vary, or has too few counts to tell. The excess is the mean of (y − μ)²/v over spots, less 1, where v = μ(1 + φμ) and φ is
 * the `dispersion` that all genes have; it is, up to a factor of two, the log-likelihood a spot gains by
 * modeling the gene, so it is also what a gene may weigh in the fit. Where (y − μ)²/v is noise, its variance is 2 + 6φ + 1/v:
 * of thousands of rare genes, some would otherwise seem to vary more than any other. O(entries).
 */
export function geneExcess(byGene: SparseMatrix, dispersion = 0): Float64Array<ArrayBuffer> {
  const excess = new Float64Array(byGene.nRows);
  const sure = new Float64Array(byGene.nRows);
  let nSure = 0;
  countScatter(byGene, ({ gene, sum, mean, inverse, surplus, nSpots }) => {
    if (sum < LEAST_COUNTS) return;
    const noise = 1 + dispersion * mean;
    const error = Math.sqrt((2 + 6 * dispersion + inverse / noise) / nSpots);
    excess[gene] = Math.max(0, (surplus - dispersion * mean) / noise);
    sure[gene] = Math.max(0, excess[gene] - SURE_FROM * error);
    if (sure[gene] > 0) nSure++;
  });
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
