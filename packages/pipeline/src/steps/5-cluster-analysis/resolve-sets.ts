import type { Species } from "./guess-species.ts";
import type { MarkerSet } from "../../markers/marker-set.ts";
import { mouseSymbols } from "../../markers/mouse-symbols.ts";

/** How much a marker counts that the model is not sure of at cell level. */
const UNRELIABLE_WEIGHT = 0.4;
/** Types with fewer markers in the data cannot be told. */
export const MIN_MARKERS = 3;

/** Added to the share of variance between clusters: a gene that clusters do not explain still counts a little. */
const BETWEEN_OFFSET = 0.1;
/** … and types with a smaller share of their markers in the data. */
const MIN_COVERAGE = 0.15;
/** Panels of fewer genes hold two or three markers of many types. */
const SMALL_PANEL = 500;

export interface WeightedGene {
  gene: number;
  weight: number;
}

/** A set as far as the data hold it: distinct genes, weights above 0. */
export interface ResolvedSet {
  set: MarkerSet;
  present: WeightedGene[];
  absent: WeightedGene[];
  /** All markers in the data, reliable or not. */
  markers: number[];
  /** How many of the present ones are reliable. */
  nReliable: number;
}

/** Whether so few genes were counted that those who chose them took few markers of each type. */
export function isSmallPanel(nGenes: number): boolean {
  return nGenes < SMALL_PANEL;
}

/** First gene of each symbol; a reliable one where the symbol is there more than once. O(genes). */
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

/** Genes of the data that a human symbol stands for. Both spellings are tried where the species is unknown. */
export function genesOf(
  symbol: string,
  species: Species,
  index: ReadonlyMap<string, number>,
): number[] {
  const names =
    species === "human"
      ? [symbol]
      : species === "mouse"
        ? mouseSymbols(symbol)
        : [symbol, ...mouseSymbols(symbol)];
  return [...new Set(names.flatMap((name) => index.get(name) ?? []))];
}

/**
 * Sets with at least three markers among `usable` genes. A gene weighs 1 − (sets with it − 1)/(sets − 1), times the share
 * of its variance between clusters, less where it is not reliable; with three reliable markers or more, a set uses those
 * alone. O(markers).
 */
export function resolveSets(
  sets: readonly MarkerSet[],
  data: {
    species: Species;
    index: ReadonlyMap<string, number>;
    reliable: Uint8Array;
    usable(gene: number): boolean;
    /** Share of the gene's variance between clusters, 0–1. */
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
 * Whether a set has three markers, if not a sufficient share of them, and most of all sets of its lineage, none of which has
 * enough: the cells of the lineage would be called something else.
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

/** 1 − (sets with the gene − 1)/(sets − 1), the lower of all sets' and those of the lineage. */
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
