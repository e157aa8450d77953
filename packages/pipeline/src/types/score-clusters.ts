import type { MarkerSet } from "../markers/marker-set.ts";
import { relativeRatesInTurns, spotShares, type ObservedSpots } from "./group-rates.ts";

/** A marker set and its genes in the data. */
export interface NamedMarkers {
  set: MarkerSet;
  genes: readonly number[];
}

/** Minimum standard deviation of markers around the mean of their set. */
const MIN_SPREAD = 0.3;
/** Evidence for a cluster from a set's markers. */
export interface ScoredSet {
  set: MarkerSet;
  /** Mean raise of all markers, and its standard error. */
  raise: number;
  error: number;
}

/**
 * Compares the spot counts attributed to each cluster's cells with the markers of types. Sets without counts are left out.
 * O(genes · spots · clusters).
 */
export async function scoreClusters(
  types: readonly NamedMarkers[],
  { clusters, nClusters }: { clusters: Int32Array; nClusters: number },
  spots: ObservedSpots,
  pause: (fraction: number) => Promise<void>,
): Promise<ScoredSet[][]> {
  const groupOf = clusters.map((cluster) => (cluster < 0 ? nClusters : cluster));
  const shares = spotShares(spots, groupOf, nClusters + 1);
  const { indptr } = spots.byGene;
  const known = types.map(({ set, genes }) => ({
    set,
    genes: genes.filter((gene) => indptr[gene + 1] > indptr[gene]),
  }));
  const genes = [...new Set(known.flatMap((own) => own.genes))];
  const rates = await relativeRatesInTurns(spots, shares, genes, pause);
  const raise = raises(rates, sizesOf(groupOf, nClusters + 1), genes.length);
  const at = new Map(genes.map((gene, i) => [gene, i]));
  return Array.from({ length: nClusters }, (_, cluster) => {
    const raiseOf = (gene: number): number => raise[at.get(gene)! * (nClusters + 1) + cluster];
    const spread = Math.max(MIN_SPREAD, spreadOf(known.map((one) => one.genes.map(raiseOf))));
    return known.flatMap(({ set, genes: own }): ScoredSet[] =>
      own.length === 0
        ? []
        : [
            {
              set,
              raise: own.reduce((sum, gene) => sum + raiseOf(gene), 0) / own.length,
              error: spread / Math.sqrt(own.length),
            },
          ],
    );
  });
}

/** Log rates of genes in groups minus their mean over groups, weighted by the root of group size. genes × groups. */
function raises(rates: Float64Array, sizes: Float64Array, nGenes: number): Float64Array {
  const nGroups = sizes.length;
  const weights = sizes.map(Math.sqrt);
  const total = weights.reduce((a, b) => a + b, 0);
  const out = rates.map((rate) => Math.log(rate));
  for (let g = 0; g < nGenes; g++) {
    let mean = 0;
    for (let j = 0; j < nGroups; j++) mean += (weights[j] * out[g * nGroups + j]) / total;
    for (let j = 0; j < nGroups; j++) out[g * nGroups + j] -= mean;
  }
  return out;
}

/** Standard deviation of markers around the mean of their set, from the median absolute deviation. */
function spreadOf(sets: readonly (readonly number[])[]): number {
  const away = sets
    .filter((values) => values.length > 2)
    .flatMap((values) => {
      const mean = values.reduce((a, b) => a + b, 0) / values.length;
      return values.map(
        (value) => Math.abs(value - mean) * Math.sqrt(values.length / (values.length - 1)),
      );
    })
    .sort((a, b) => a - b);
  return away.length > 0 ? 1.48 * away[away.length >> 1] : 0;
}

function sizesOf(groupOf: Int32Array, nGroups: number): Float64Array {
  const sizes = new Float64Array(nGroups);
  for (const group of groupOf) sizes[group]++;
  return sizes;
}
