/** Tissues that have sets of their own. */
export const TISSUES = [
  "bladder",
  "bone",
  "brain",
  "breast",
  "embryo",
  "heart",
  "intestine",
  "kidney",
  "liver",
  "lung",
  "lymphoid",
  "ovary",
  "pancreas",
  "placenta",
  "prostate",
  "retina",
  "skeletal muscle",
  "skin",
  "stomach",
  "testis",
  "thyroid",
  "uterus",
] as const;

/** Types of "any" tissue (immune, stroma, vessels) always compete. */
export type Tissue = "any" | (typeof TISSUES)[number];

/** What tells a cell type, in human symbols. */
export interface MarkerSet {
  name: string;
  /** Broader group; cells that fit several types of a lineage alike are called by it. */
  lineage: string;
  tissues: readonly Tissue[];
  /** Expressed by the type more than by others. */
  markers: readonly string[];
  /** Not expressed by the type, though by a type that resembles it. */
  absent: readonly string[];
  /** The type that this one is a subtype of. It is distinguished from its siblings only among the parent's cells. */
  parent?: string;
}

/** Writes a set in one line: symbols are separated by blanks, those after "-" are the absent ones. */
export function markerSet(
  name: string,
  lineage: string,
  tissues: readonly Tissue[],
  symbols: string,
): MarkerSet {
  const [present, absent = ""] = symbols.split(" - ");
  return { name, lineage, tissues, markers: words(present), absent: words(absent) };
}

/** A kind of `parent`, which lists its own markers only. */
export function narrowSet(parent: MarkerSet, name: string, symbols: string): MarkerSet {
  return { ...markerSet(name, parent.lineage, parent.tissues, symbols), parent: parent.name };
}

function words(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
