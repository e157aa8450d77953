import type { SparseMatrix } from "@stipple/numerics/matrices";
import { countScatter } from "./count-scatter.ts";
import { COUNT_DISPERSION, ENOUGH } from "../../model/constants.ts";

const { MIN_MEAN, LARGEST_ERROR, LOWEST } = COUNT_DISPERSION;
const { GENES: MIN_GENES } = ENOUGH;

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
    if (mean >= MIN_MEAN && error <= LARGEST_ERROR) found.push(surplus / mean);
  });
  if (found.length < MIN_GENES) return 0;
  found.sort((a, b) => a - b);
  return Math.max(0, found[Math.floor(LOWEST * found.length)]);
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
