import type { SparseMatrix } from "../../fields.ts";
import { countScatter } from "./count-scatter.ts";

/** Of genes with fewer counts a spot, nearly all noise is Poisson's. */
const LEAST_MEAN = 0.5;
/** A gene's dispersion is known where its standard error is no larger. */
const LARGEST_ERROR = 0.04;
/** Fewer such genes than this may all vary by themselves. */
const FEWEST_GENES = 50;
/** Of the genes with enough counts, hardly any can vary less than noise lets it: this part does by chance. */
const LOWEST = 0.1;

/**
 * Squared coefficient of variation of spots' counts beyond Poisson that even the least variable genes have: what reaction and
 * reading add to every gene alike. 0 where counts are Poisson, and where spots are too shallow to tell (bins). The lowest
 * tenth of the genes lies below it where spots are few, so it is rather too small than too large. O(entries).
 */
export function countDispersion(byGene: SparseMatrix): number {
  const found: number[] = [];
  countScatter(byGene, ({ mean, inverse, surplus, nSpots }) => {
    const error = Math.sqrt((2 + inverse) / nSpots) / mean;
    if (mean >= LEAST_MEAN && error <= LARGEST_ERROR) found.push(surplus / mean);
  });
  if (found.length < FEWEST_GENES) return 0;
  found.sort((a, b) => a - b);
  return Math.max(0, found[Math.floor(LOWEST * found.length)]);
}

/**
 * The genes' rows, each divided by 1 + φμ: with a dispersion φ the variance of a count is μ(1 + φμ), so that what is then fitted as
 * Poisson counts gives abundant genes no more weight than their noise leaves them. As it is where φ is 0.
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
