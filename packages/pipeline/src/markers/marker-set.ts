import type { KnownTissue } from "@stipple/contract/tissues";

/** Types of "any" tissue (immune, stroma, vessels) always compete. */
export type Tissue = "any" | KnownTissue;

/** What identifies a cell type, in human symbols. */
export interface MarkerSet {
  name: string;
  /** Broader group; cells that fit several types of a lineage equally well are given its name. */
  lineage: string;
  tissues: readonly Tissue[];
  /** High: several times the level of most other cells. */
  markers: readonly string[];
  /** Expressed, but by many other types as well. */
  some: readonly string[];
  /** Not expressed by this type, but by a similar one. */
  absent: readonly string[];
  /** The type that this one is a subtype of, whose genes it has as well. */
  parent?: string;
}

/**
 * A set written in one line: high genes, then "; " and those expressed to some degree, then " - " and the absent ones,
 * separated by spaces.
 */
export function markerSet(
  name: string,
  lineage: string,
  tissues: readonly Tissue[],
  symbols: string,
): MarkerSet {
  const [present, absent = ""] = symbols.split(" - ");
  const [high, some = ""] = present.split(";");
  return {
    name,
    lineage,
    tissues,
    markers: words(high),
    some: words(some),
    absent: words(absent),
  };
}

/** Sets of one lineage that the same tissues contain: their genes, as in {@link markerSet}, by name. */
export function markerSets(
  lineage: string,
  tissues: readonly Tissue[],
  genesOf: Readonly<Record<string, string>>,
): MarkerSet[] {
  return Object.entries(genesOf).map(([name, symbols]) =>
    markerSet(name, lineage, tissues, symbols),
  );
}

/** Kinds of `parent`, which have the genes of that and those given. */
export function narrowSets(
  parent: MarkerSet,
  genesOf: Readonly<Record<string, string>>,
): MarkerSet[] {
  return markerSets(parent.lineage, parent.tissues, genesOf).map((own) => {
    const listed = [...own.markers, ...own.some, ...own.absent];
    const inherited = (list: readonly string[]): string[] =>
      list.filter((symbol) => !listed.includes(symbol));
    return {
      ...own,
      markers: [...inherited(parent.markers), ...own.markers],
      some: [...inherited(parent.some), ...own.some],
      absent: [...inherited(parent.absent), ...own.absent],
      parent: parent.name,
    };
  });
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
