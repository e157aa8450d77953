import type { SparseMatrix } from "../../fields.ts";
import { Random } from "../../numerics/random.ts";

/** Spots that the rates of groups are fitted to at most, drawn at random. */
const MOST_SPOTS = 3_000;
/** Strength of the prior that a group has the sample's own rate, in expected UMIs. */
const PRIOR_UMIS = 3;
const STEPS = 40;
/** Counts weigh 1/(1 + DISPERSION · mean), as the cells of a group differ. */
export const DISPERSION = 0.05;

/** What the spots counted, and which cells each captured. */
export interface ObservedSpots {
  /** A, nSpots × nCells. */
  overlap: SparseMatrix;
  /** nGenes × nSpots, UMIs as counted. */
  byGene: SparseMatrix;
  /** 1 = some of the cell lies in a spot. */
  observed: Uint8Array;
  seed: number;
}

/** Shares of groups of cells in what each spot captures, and the UMIs of the spot. */
export interface SpotShares {
  nGroups: number;
  /** nSpots × nGroups; a row sums to 1, or is all zero for a spot without cells. */
  share: Float32Array;
  /** nSpots. */
  totals: Float64Array;
}

/** O(entries). `groupOf`: 0 … nGroups − 1 for every cell. */
export function spotShares(
  { overlap, byGene }: ObservedSpots,
  groupOf: Int32Array,
  nGroups: number,
): SpotShares {
  const share = new Float32Array(overlap.nRows * nGroups);
  for (let s = 0; s < overlap.nRows; s++) {
    let sum = 0;
    for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) {
      share[s * nGroups + groupOf[overlap.indices[k]]] += overlap.data[k];
      sum += overlap.data[k];
    }
    if (sum > 0) for (let j = s * nGroups; j < (s + 1) * nGroups; j++) share[j] /= sum;
  }
  const totals = new Float64Array(overlap.nRows);
  for (let k = 0; k < byGene.indices.length; k++) totals[byGene.indices[k]] += byGene.data[k];
  return { nGroups, share, totals };
}

/** One gene's UMIs in every spot. */
export function countsOf(byGene: SparseMatrix, gene: number): Float32Array {
  const counts = new Float32Array(byGene.nCols);
  for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
    counts[byGene.indices[k]] = byGene.data[k];
  }
  return counts;
}

/**
 * The share of each gene among the UMIs of each group, q, relative to its share p in all spots: y ~ Poisson(n Σ f q) by
 * expectation maximization with a gamma prior around p. genes.length × nGroups; 1 for genes that no spot counted.
 * O(genes · spots · groups · 40), spots at most 3,000.
 */
export function relativeRates(
  spots: ObservedSpots,
  shares: SpotShares,
  genes: readonly number[],
): Float64Array {
  const { nGroups, share, totals } = shares;
  const used = [...totals.keys()].filter(
    (s) => totals[s] > 0 && spots.overlap.indptr[s] < spots.overlap.indptr[s + 1],
  );
  const order = Uint32Array.from(used);
  new Random(spots.seed).shuffle(order);
  const taken = order.subarray(0, MOST_SPOTS);
  const rates = new Float64Array(genes.length * nGroups).fill(1);
  genes.forEach((gene, at) => {
    const counts = countsOf(spots.byGene, gene);
    let [sum, all] = [0, 0];
    for (const s of taken) {
      sum += counts[s];
      all += totals[s];
    }
    if (sum === 0) return;
    const p = sum / all;
    const own = rates.subarray(at * nGroups, (at + 1) * nGroups);
    const given = new Float64Array(nGroups).fill(PRIOR_UMIS);
    for (const s of taken) {
      const expected = totals[s] * p;
      const weight = expected / (1 + DISPERSION * expected);
      for (let j = 0; j < nGroups; j++) given[j] += weight * share[s * nGroups + j];
    }
    const found = new Float64Array(nGroups);
    for (let step = 0; step < STEPS; step++) {
      found.fill(PRIOR_UMIS);
      for (const s of taken) {
        if (counts[s] === 0) continue;
        let mean = 0;
        for (let j = 0; j < nGroups; j++) mean += share[s * nGroups + j] * own[j];
        if (!(mean > 0)) continue;
        const weighted = counts[s] / (1 + DISPERSION * totals[s] * p) / mean;
        for (let j = 0; j < nGroups; j++) found[j] += weighted * share[s * nGroups + j] * own[j];
      }
      for (let j = 0; j < nGroups; j++) own[j] = found[j] / given[j];
    }
  });
  return rates;
}
