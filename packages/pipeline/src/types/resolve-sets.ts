import type { CandidateType } from "./find-types.ts";
import type { Species } from "../species/guess-species.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { mouseSymbols } from "../markers/mouse-symbols.ts";

/** Weight of a marker that is not reliable at the cell level. */
const UNRELIABLE_WEIGHT = 0.4;
/** Types with fewer markers in the data cannot be identified. */
export const MIN_MARKERS = 3;

/** Added to the fraction of variance between clusters, so that genes not explained by clusters count a little. */
const BETWEEN_OFFSET = 0.1;
/** Types with a smaller fraction of their markers in the data cannot be identified either. */
const MIN_COVERAGE = 0.15;
/** Panels with fewer genes contain only two or three markers for many types. */
const SMALL_PANEL = 500;

export interface WeightedGene {
  gene: number;
  weight: number;
}

/** The part of a set found in the data: distinct genes with weights above 0. */
export interface ResolvedSet {
  set: MarkerSet;
  present: WeightedGene[];
  absent: WeightedGene[];
  /** All markers in the data, reliable or not. */
  markers: number[];
  /** Number of reliable genes among those in `present`. */
  nReliable: number;
}

/** The genes of a set that take part in the fit to the spots. */
export function asCandidate({ set, markers, absent }: ResolvedSet): CandidateType {
  return { name: set.name, present: markers, absent: absent.map(({ gene }) => gene) };
}

/** Whether the panel is so small that it was designed with only a few markers per type. */
export function isSmallPanel(nGenes: number): boolean {
  return nGenes < SMALL_PANEL;
}

/** First gene of each symbol; a reliable one if the symbol occurs more than once. O(genes). */
export function indexSymbols(
  symbols: readonly string[],
  reliable: Uint8Array,
): Map<string, number> {
  const index = new Map<string, number>();
  symbols.forEach((symbol, gene) => {
    const known = index.get(symbol);
    if (known === undefined || (!reliable[known] && reliable[gene])) index.set(symbol, gene);
  });
  return index;
}

/** Genes in the data for a human symbol. Tries both human and mouse spelling if the species is unknown. */
export function genesOf(
  symbol: string,
  species: Species,
  index: ReadonlyMap<string, number>,
): number[] {
  // Other species are not named by the markers of these two.
  if (species === "other" || species === "mixed") return [];
  const names =
    species === "human"
      ? [symbol]
      : species === "mouse"
        ? mouseSymbols(symbol)
        : [symbol, ...mouseSymbols(symbol)];
  return [...new Set(names.flatMap((name) => index.get(name) ?? []))];
}

/**
 * Sets with at least three markers among `usable` genes. A gene's weight is 1 − (sets with it − 1)/(sets − 1) times the
 * fraction of its variance between clusters, and lower if it is unreliable; a set with three or more reliable markers
 * uses only those. O(markers).
 */
export function resolveSets(
  sets: readonly MarkerSet[],
  data: {
    species: Species;
    index: ReadonlyMap<string, number>;
    reliable: Uint8Array;
    usable(gene: number): boolean;
    /** Fraction of the gene's variance that is between clusters, 0–1. */
    between(gene: number): number;
  },
): ResolvedSet[] {
  const find = (symbols: readonly string[]): number[] => [
    ...new Set(symbols.flatMap((symbol) => genesOf(symbol, data.species, data.index))),
  ];
  const found = sets.map((set) => ({
    set,
    present: find(set.markers).filter((gene) => data.usable(gene)),
    absent: find(set.absent).filter((gene) => data.usable(gene)),
  }));
  const specificity = specificityOf(found);
  return found
    .filter((one) => hasEnough(one) || standsForLineage(one, found))
    .map(({ set, present, absent }) => {
      const nReliable = present.filter((gene) => data.reliable[gene]).length;
      const weigh = (gene: number): WeightedGene => ({
        gene,
        weight:
          specificity(gene, set.lineage) *
          (data.reliable[gene] ? 1 : UNRELIABLE_WEIGHT) *
          (BETWEEN_OFFSET + data.between(gene)),
      });
      const used =
        nReliable >= MIN_MARKERS ? present.filter((gene) => data.reliable[gene]) : present;
      return {
        set,
        present: used.map(weigh),
        absent: absent.filter((gene) => data.reliable[gene]).map(weigh),
        markers: present,
        nReliable,
      };
    })
    .filter(({ present }) => present.some(({ weight }) => weight > 0));
}

interface FoundSet {
  set: MarkerSet;
  present: readonly number[];
}

function hasEnough({ set, present }: FoundSet): boolean {
  return present.length >= Math.max(MIN_MARKERS, MIN_COVERAGE * set.markers.length);
}

/**
 * Whether a set represents its lineage although too small a fraction of its markers is in the data. It does if it has
 * three markers, no set of the lineage has enough, and none has more. Without such a set, cells of the lineage would be
 * misnamed.
 */
function standsForLineage(one: FoundSet, found: readonly FoundSet[]): boolean {
  const kin = found.filter(({ set }) => set.lineage === one.set.lineage);
  return (
    one.present.length >= MIN_MARKERS &&
    one.set.parent === undefined &&
    !kin.some(hasEnough) &&
    kin.every(({ present }) => present.length <= one.present.length)
  );
}

/** 1 − (sets with the gene − 1)/(sets − 1), the lower of the values over all sets and over the lineage's sets. */
function specificityOf(
  found: readonly { set: MarkerSet; present: readonly number[] }[],
): (gene: number, lineage: string) => number {
  const sharing = new Map<string, number>();
  const sizes = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { set, present } of found) {
    count(sizes, set.lineage);
    for (const gene of present) {
      count(sharing, String(gene));
      count(sharing, `${gene} ${set.lineage}`);
    }
  }
  const share = (holders: number, all: number): number =>
    1 - Math.max(0, holders - 1) / Math.max(1, all - 1);
  return (gene, lineage) =>
    Math.min(
      share(sharing.get(String(gene)) ?? 1, found.length),
      share(sharing.get(`${gene} ${lineage}`) ?? 1, sizes.get(lineage) ?? 1),
    );
}
