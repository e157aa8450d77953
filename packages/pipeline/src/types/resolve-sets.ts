import type { Species } from "../species/guess-species.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { mouseSymbols } from "../markers/mouse-symbols.ts";
import { CANDIDATES } from "../model/constants.ts";

const { MIN_MARKERS, MIN_COVERAGE } = CANDIDATES;

/** The part of a set found in the data: distinct genes. */
export interface ResolvedSet {
  set: MarkerSet;
  /** Markers with counts. */
  markers: number[];
  /** Those of the genes that the type lacks that can tell. */
  absent: number[];
}

/** First gene of each symbol; a reliable one, if told which are, if the symbol occurs more than once. O(genes). */
export function indexSymbols(
  symbols: readonly string[],
  reliable?: Uint8Array,
): Map<string, number> {
  const index = new Map<string, number>();
  symbols.forEach((symbol, gene) => {
    const known = index.get(symbol);
    if (known === undefined || (reliable && !reliable[known] && reliable[gene])) {
      index.set(symbol, gene);
    }
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

/** Sets with at least three markers among `usable` genes, and 15% of theirs. O(markers). */
export function resolveSets(
  sets: readonly MarkerSet[],
  data: {
    species: Species;
    index: ReadonlyMap<string, number>;
    usable(gene: number): boolean;
    /** 1 = the gene's absence can be told. */
    varying: Uint8Array;
  },
): ResolvedSet[] {
  const find = (symbols: readonly string[]): number[] => [
    ...new Set(
      symbols
        .flatMap((symbol) => genesOf(symbol, data.species, data.index))
        .filter((gene) => data.usable(gene)),
    ),
  ];
  const found = sets.map((set) => ({
    set,
    markers: find(set.markers),
    absent: find(set.absent).filter((gene) => data.varying[gene]),
  }));
  return found.filter((one) => hasEnough(one) || standsForLineage(one, found));
}

function hasEnough({ set, markers }: ResolvedSet): boolean {
  return markers.length >= Math.max(MIN_MARKERS, MIN_COVERAGE * set.markers.length);
}

/**
 * Whether a set represents its lineage although too small a fraction of its markers is in the data. It does if it has
 * three markers, no set of the lineage has enough, and none has more. Without such a set, cells of the lineage would be
 * misnamed.
 */
function standsForLineage(one: ResolvedSet, found: readonly ResolvedSet[]): boolean {
  const kin = found.filter(({ set }) => set.lineage === one.set.lineage);
  return (
    one.markers.length >= MIN_MARKERS &&
    one.set.parent === undefined &&
    !kin.some(hasEnough) &&
    kin.every(({ markers }) => markers.length <= one.markers.length)
  );
}
