import type { SparseMatrix } from "@stipple/numerics/matrices";
import { MARKER_SETS, mouseSymbols } from "@stipple/pipeline/cell-types";
import { Random } from "@stipple/numerics/random";
import { readResult } from "@stipple/pipeline/results";

/** The leading markers of a type; those after them are less specific. */
const LEADING = 14;

export interface Purity {
  /** Share of the UMIs of markers of one lineage alone that lie in cells named as of that lineage. */
  named: number;
  /** That share with the names exchanged at random among the named cells. */
  shuffled: number;
}

/**
 * Whether cells' own counts agree with their names, for any results: no truth is needed. Markers that exclude each other
 * are those that the catalog lists for a single lineage. On HD slides names were made from these counts, on Visium counts
 * were shared by the model, so compare results of one kind only. Null if no cell is named. O(counts).
 */
export async function purity(results: string): Promise<Purity | null> {
  const counts = await readResult(results, "cells/counts");
  const symbols = await readResult(results, "genes/symbol");
  const names = await readResult(results, "types/name");
  const typeOf = await readResult(results, "cells/cell_type");
  const { species } = await readResult(results, "sample/species");
  const lineages = new Map(MARKER_SETS.map(({ name, lineage }) => [name, lineage]));
  const lineageOf = (cell: number): string | undefined => {
    const name = names[typeOf[cell]];
    return lineages.get(name) ?? ([...lineages.values()].includes(name) ? name : undefined);
  };
  const named = Array.from(typeOf.keys()).filter((cell) => lineageOf(cell) !== undefined);
  if (named.length === 0) return null;
  const markerOf = exclusiveMarkers(species === "mouse" ? mouseSymbols : (symbol) => [symbol]);
  const marks = symbols.map((symbol) => markerOf.get(symbol));
  const given = named.map((cell) => lineageOf(cell)!);
  const order = Uint32Array.from(given.keys());
  new Random(1).shuffle(order);
  return {
    named: agreeing(counts, named, given, marks),
    shuffled: agreeing(
      counts,
      named,
      Array.from(order, (i) => given[i]),
      marks,
    ),
  };
}

/** The lineage of each gene that is a leading marker of types of one lineage alone and no other type expresses. */
function exclusiveMarkers(symbolsOf: (human: string) => readonly string[]): Map<string, string> {
  const lineagesOf = new Map<string, Set<string>>();
  const leading = new Set<string>();
  for (const { lineage, markers, some } of MARKER_SETS) {
    for (const symbol of markers.slice(0, LEADING)) leading.add(symbol);
    for (const symbol of [...markers, ...some]) {
      lineagesOf.set(symbol, (lineagesOf.get(symbol) ?? new Set()).add(lineage));
    }
  }
  return new Map(
    [...lineagesOf].flatMap(([symbol, all]): [string, string][] =>
      all.size === 1 && leading.has(symbol)
        ? symbolsOf(symbol).map((own) => [own, [...all][0]])
        : [],
    ),
  );
}

/** Share of the marking UMIs of some cells whose lineage is the cell's. */
function agreeing(
  { indptr, indices, data }: SparseMatrix,
  cells: readonly number[],
  given: readonly string[],
  marks: readonly (string | undefined)[],
): number {
  let [own, all] = [0, 0];
  cells.forEach((cell, i) => {
    for (let e = indptr[cell]; e < indptr[cell + 1]; e++) {
      const lineage = marks[indices[e]];
      if (lineage === undefined) continue;
      all += data[e];
      if (lineage === given[i]) own += data[e];
    }
  });
  return own / all;
}
