import { DISPERSION, type ObservedSpots, type SpotShares } from "../../types/group-rates.ts";

/** Rate of a type's markers in cells of another type, relative to the sample mean, unless the group's rate is lower. */
const ELSEWHERE = 1;

/** Log-likelihood ratio for each spot: cells with the group's rates vs. cells with at most the sample's mean rate. */
export function likelihoodRatios(
  genes: readonly number[],
  group: number,
  { byGene }: Pick<ObservedSpots, "byGene">,
  { share, nGroups, totals, all }: SpotShares,
  relative: (gene: number, group: number) => number,
): Float32Array {
  const nSpots = totals.length;
  const counts = new Float32Array(nSpots);
  const rate = new Float64Array(nGroups);
  let mean = 0;
  for (const gene of genes) {
    let sum = 0;
    for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
      counts[byGene.indices[k]] += byGene.data[k];
      sum += byGene.data[k];
    }
    for (let j = 0; j < nGroups; j++) rate[j] += (sum / all) * relative(gene, j);
    mean += sum / all;
  }
  const absent = Math.min(rate[group], ELSEWHERE * mean);
  const ratios = new Float32Array(nSpots);
  for (let s = 0; s < nSpots; s++) {
    let present = 0;
    let own = 0;
    for (let e = share.indptr[s]; e < share.indptr[s + 1]; e++) {
      const other = share.indices[e];
      present += share.data[e] * rate[other];
      if (other === group) own = share.data[e];
    }
    const without = present - own * (rate[group] - absent);
    if (!(without > 0) || !(present > without)) continue;
    const [expected, background] = [totals[s] * present, totals[s] * without];
    // Most bins contain none of the genes.
    const ofCounts = counts[s] > 0 ? counts[s] * Math.log(present / without) : 0;
    ratios[s] = (ofCounts - (expected - background)) / (1 + DISPERSION * expected);
  }
  return ratios;
}
