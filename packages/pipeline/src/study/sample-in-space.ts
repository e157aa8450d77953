import type { SpatialStatistics } from "@stipple/contract/statistical-facts";

/** What comparisons read of a sample's spatial statistics. */
export interface SampleInSpace {
  /** Edges between neighboring cells of two types, by types joined with {@link PAIR}; null if they were not counted. */
  edges: Map<string, number> | null;
  /** Moran's I of genes, by name. */
  moran: Map<string, number> | null;
  /** Within each distance, µm: how many times as likely two types are together as by chance. */
  together: { withinUm: number; ratio: Map<string, number> }[] | null;
}

/** Between the names of two types, in alphabetic order. */
export const PAIR = "\t";

/** The key of a pair of types, the same in either order. */
export function pairName(a: string, b: string): string {
  return a <= b ? `${a}${PAIR}${b}` : `${b}${PAIR}${a}`;
}

/** Extracts from a sample's spatial statistics what comparisons read. */
export function sampleInSpace({
  enrichment,
  moran,
  coOccurrence,
}: SpatialStatistics): SampleInSpace {
  return {
    // Edges are counted once in each direction, so both halves of the table are the same.
    edges: enrichment && pairsOf(enrichment.types, (i, j) => enrichment.count[i][j]),
    moran: moran && new Map(moran.genes.map((gene, i) => [gene, moran.I[i]] as const)),
    together:
      coOccurrence &&
      coOccurrence.intervalUm.slice(1).map((withinUm, step) => ({
        withinUm,
        ratio: pairsOf(coOccurrence.types, (i, j) => coOccurrence.occ[i][j][step] ?? NaN),
      })),
  };
}

function pairsOf(
  types: readonly string[],
  valueOf: (i: number, j: number) => number,
): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i < types.length; i++) {
    for (let j = 0; j <= i; j++) pairs.set(pairName(types[i], types[j]), valueOf(i, j));
  }
  return pairs;
}
