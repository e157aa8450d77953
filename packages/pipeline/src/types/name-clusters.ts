import type { MarkerSet } from "../markers/marker-set.ts";
import { coarserNames } from "../markers/coarser-names.ts";
import { relativeRatesInTurns, spotShares, type ObservedSpots } from "./group-rates.ts";
import { oddsOf, SHARE_OF_TYPE } from "./raise-odds.ts";

/** A marker set and its genes in the data. */
export interface NamedMarkers {
  set: MarkerSet;
  genes: readonly number[];
}

/** A name needs at least this many raised markers, and this many UMIs of its markers. */
const LEAST_MARKERS = 2;
const LEAST_UMIS = 5;
/** Minimum standard deviation of markers around the mean of their set. */
const LEAST_SPREAD = 0.3;
/** A marker counts as raised above this. */
const LEAST_RAISE = 0.25;
/** Fraction of a broad class's markers expressed by any one of its types. */
const SHARE_OF_CLASS = 0.5;
/** Minimum log odds of the best name against none, and minimum posterior among the names. */
const LEAST_ODDS = 1.5;
const LEAST_POSTERIOR = 0.6;
/** A type, narrower than its lineage, needs at least this many raised markers and these log odds. */
const LEAST_MARKERS_OF_TYPE = 3;
const LEAST_ODDS_OF_TYPE = 2.5;
/** Its raise must also exceed that of every other type of the lineage by this many standard errors. */
const CLEARLY = 1;

/** Name of a cluster and its certainty. */
export interface ClusterName {
  name: string;
  /** Lineage if the name is a type, otherwise the name itself. */
  lineage: string;
  posterior: number;
  margin: number;
  /** Markers that are raised. */
  genes: number[];
}

/** Evidence for a cluster from a set's markers. */
export interface ScoredSet {
  set: MarkerSet;
  /** Log odds against none of the sets. */
  odds: number;
  /** Markers that are raised. */
  up: number[];
  /** Mean raise of all markers, and its standard error. */
  raise: number;
  error: number;
  isType: boolean;
}

/**
 * Compares the spot counts attributed to each cluster's cells with the markers of types and broad classes. Sets with
 * fewer than two raised markers or 5 UMIs get log odds of −∞. O(genes · spots · clusters).
 */
export async function scoreClusters(
  { types, classes }: { types: readonly NamedMarkers[]; classes: readonly NamedMarkers[] },
  { clusters, nClusters }: { clusters: Int32Array; nClusters: number },
  spots: ObservedSpots,
  pause: (fraction: number) => Promise<void>,
): Promise<ScoredSet[][]> {
  const groupOf = clusters.map((cluster) => (cluster < 0 ? nClusters : cluster));
  const shares = spotShares(spots, groupOf, nClusters + 1);
  const sets = [...classes, ...types];
  const genes = [...new Set(sets.flatMap((own) => own.genes))];
  const umis = new Map(genes.map((gene) => [gene, umisOf(gene, spots, shares)]));
  const rates = await relativeRatesInTurns(spots, shares, genes, pause);
  const raise = raises(rates, sizesOf(groupOf, nClusters + 1), genes.length);
  const at = new Map(genes.map((gene, i) => [gene, i]));
  const specific = specificGenes(sets);
  return Array.from({ length: nClusters }, (_, cluster) => {
    const raiseOf = (gene: number): number => raise[at.get(gene)! * (nClusters + 1) + cluster];
    const spread = Math.max(LEAST_SPREAD, spreadOf(sets.map((one) => one.genes.map(raiseOf))));
    return sets.flatMap(({ set, genes: own }, i): ScoredSet[] => {
      const isType = i >= classes.length;
      const counted = own.filter((gene) => umis.get(gene)!.total > 0 && (isType || specific(gene)));
      if (counted.length === 0) return [];
      const raise = counted.reduce((sum, gene) => sum + raiseOf(gene), 0) / counted.length;
      const error = spread / Math.sqrt(counted.length);
      const up = counted.filter((gene) => raiseOf(gene) > LEAST_RAISE);
      const found = counted.reduce((sum, gene) => sum + umis.get(gene)!.byGroup[cluster], 0);
      const share = isType ? SHARE_OF_TYPE : SHARE_OF_CLASS;
      const odds =
        up.length < LEAST_MARKERS || found < LEAST_UMIS
          ? -Infinity
          : oddsOf(counted.map(raiseOf), share, spread);
      return [{ set, odds, up, raise, error, isType }];
    });
  });
}

/** Compares lineages with each other and with none of them, then the types of the best lineage. */
export function nameOfCluster(
  scored: readonly ScoredSet[],
  { broad }: { broad: boolean },
): ClusterName | undefined {
  const lineages = new Map<string, ScoredSet>();
  for (const one of scored) {
    const known = lineages.get(one.set.lineage);
    if (!known || one.odds > known.odds) lineages.set(one.set.lineage, one);
  }
  const ranked = [...lineages.values()].sort((a, b) => b.odds - a.odds);
  const best = ranked[0];
  if (best === undefined || best.odds < LEAST_ODDS) return undefined;
  const total = 1 + ranked.reduce((sum, { odds }) => sum + Math.exp(odds), 0);
  const shareOf = ({ odds }: ScoredSet): number => Math.exp(odds) / total;
  const posterior = shareOf(best);
  if (posterior < LEAST_POSTERIOR) return ofClass(ranked, shareOf);
  const margin = posterior - Math.max(1 / total, ...ranked.slice(1).map(shareOf));
  const type = broad
    ? undefined
    : typeOf(scored.filter(({ isType, set }) => isType && set.lineage === best.set.lineage));
  const { lineage } = best.set;
  if (type) return { name: type.set.name, lineage, posterior, margin, genes: type.up };
  return { name: lineage, lineage, posterior, margin, genes: best.up };
}

/** The type of a lineage whose markers are clearly more raised than those of the others, if there is one. */
function typeOf(types: readonly ScoredSet[]): ScoredSet | undefined {
  const [best, ...others] = types.toSorted((a, b) => b.odds - a.odds);
  if (!best || best.odds < LEAST_ODDS_OF_TYPE || best.up.length < LEAST_MARKERS_OF_TYPE)
    return undefined;
  const clear = others.every(
    ({ raise, error }) => best.raise - raise > CLEARLY * Math.hypot(best.error, error),
  );
  return clear ? best : undefined;
}

/** The broad class shared by several lineages, if their combined posterior is high enough. */
function ofClass(
  ranked: readonly ScoredSet[],
  shareOf: (one: ScoredSet) => number,
): ClusterName | undefined {
  const lineage = ranked[0].set.lineage;
  const broad = coarserNames(lineage, lineage)[0];
  if (broad === undefined) return undefined;
  const own = ranked.filter(({ set }) => coarserNames(set.lineage, set.lineage)[0] === broad);
  const posterior = own.reduce((sum, one) => sum + shareOf(one), 0);
  if (posterior < LEAST_POSTERIOR) return undefined;
  return {
    name: broad,
    lineage: broad,
    posterior,
    margin: 2 * posterior - 1,
    genes: own.flatMap(({ up }) => up),
  };
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

/** Tests whether a gene marks only one lineage. */
export function specificGenes(sets: readonly NamedMarkers[]): (gene: number) => boolean {
  const lineages = new Map<number, Set<string>>();
  for (const { set, genes } of sets) {
    for (const gene of genes) {
      lineages.set(gene, (lineages.get(gene) ?? new Set<string>()).add(set.lineage));
    }
  }
  return (gene) => lineages.get(gene)!.size === 1;
}

function sizesOf(groupOf: Int32Array, nGroups: number): Float64Array {
  const sizes = new Float64Array(nGroups);
  for (const group of groupOf) sizes[group]++;
  return sizes;
}

/** UMIs of a gene, in total and divided among groups by their shares of the spots. */
function umisOf(
  gene: number,
  { byGene }: ObservedSpots,
  { share, nGroups }: ReturnType<typeof spotShares>,
): { total: number; byGroup: Float64Array } {
  const byGroup = new Float64Array(nGroups);
  let total = 0;
  for (let k = byGene.indptr[gene]; k < byGene.indptr[gene + 1]; k++) {
    const count = byGene.data[k];
    const spot = byGene.indices[k];
    total += count;
    for (let e = share.indptr[spot]; e < share.indptr[spot + 1]; e++) {
      byGroup[share.indices[e]] += count * share.data[e];
    }
  }
  return { total, byGroup };
}
