import type { KnownTissue } from "@stipple/contract/tissues";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Columns } from "../model/cell-features.ts";
import { CATALOG } from "../markers/index.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { chooseColumns } from "@stipple/numerics/sparse";
import type { LabelProfiles } from "../reference/read-reference.ts";
import { indexSymbols } from "../types/resolve-sets.ts";
import { weighByLooks } from "../types/discriminant.ts";
import type { Species } from "../species/guess-species.ts";
import { fitCountMixture, typeLikelihoods, type Watched } from "./count-mixture.ts";
import { expectedLevels, referenceLevels } from "./expected-levels.ts";
import { likeliestTissue, typeWeights } from "./type-prior.ts";
import { occurring } from "./occurring.ts";

/** Cells with counts of their own. */
export interface CountedCells {
  /** nCells × nGenes, counts allocated to the cells. */
  counts: SparseMatrix;
  symbols: readonly string[];
  species: Species;
  /** Given by the user. */
  tissue?: KnownTissue | undefined;
  /** Whether cells were found by their nuclei. */
  nucleated: boolean;
  /** Standardized features of how cells look, after a column of ones; null if rows are not cells. */
  looks: Columns | null;
}

export interface TypedByCounts {
  /** Types with half a cell or more, in the order of the posterior's columns. */
  types: MarkerSet[];
  /** nCells × (types + 1), the last column for none of them. */
  posterior: Float32Array;
  tissue: KnownTissue | "unknown";
}

/**
 * Types of cells that have counts of their own (HD): every type of the catalog competes, and the tissue is a prior that
 * evidence overrides, given or learned from the cells; how cells look weighs types after their counts. Null if the sample
 * has none of the catalog's genes.
 */
export async function typeByCounts(
  { counts, symbols, species, tissue, nucleated, looks }: CountedCells,
  options: Watched,
): Promise<TypedByCounts | null> {
  const all = CATALOG;
  const index = indexSymbols(symbols, new Uint8Array(symbols.length).fill(1));
  const expected = expectedLevels(all, species, index);
  if (expected.genes.length === 0) return null;
  const listed = chooseColumns(counts, [...expected.genes]);
  const found = tissue ?? likeliestTissue(all, await typeLikelihoods(listed, expected, options));
  const weights = typeWeights(all, found, nucleated);
  const posterior = await fitCountMixture(listed, expected, { ...options, weights });
  if (looks) weighByLooks(posterior, looks);
  const { kept, posterior: ofKept } = occurring(posterior, all.length + 1);
  return { types: kept.map((t) => all[t]), posterior: ofKept, tissue: found };
}

/** Labels of a reference for cells that have counts of their own: nCells × (labels + 1), the last column for none. */
export async function labelByCounts(
  { counts, looks }: Pick<CountedCells, "counts" | "looks">,
  reference: LabelProfiles,
  options: Watched,
): Promise<Float32Array> {
  const expected = referenceLevels(reference);
  const posterior = await fitCountMixture(
    chooseColumns(counts, [...expected.genes]),
    expected,
    options,
  );
  if (looks) weighByLooks(posterior, looks);
  return posterior;
}
