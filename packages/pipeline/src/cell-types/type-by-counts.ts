import { type KnownTissue, TISSUES } from "@stipple/contract/tissues";
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
import { occurring } from "./occurring.ts";
import { isOutOfPlace } from "../markers/out-of-place.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import { OWN_COUNTS } from "../model/constants.ts";

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
  const index = indexSymbols(symbols);
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

/**
 * The tissue whose types, with those found everywhere, are the likeliest on average over types: with one type that fits, a
 * tissue of three types beats one of twenty, of which some fit a cell by chance. Unknown if those found everywhere are
 * likelier without the types of any tissue.
 * @param likelihoods types + 1 of each cell, up to a factor, the last of none, which counts in every tissue
 */
export function likeliestTissue(
  types: readonly MarkerSet[],
  likelihoods: readonly Float64Array[],
): KnownTissue | "unknown" {
  const candidates = ["unknown", ...TISSUES] as const;
  const places = candidates.map((tissue) => [
    ...[...types.keys()].filter((t) => isIn(types[t], tissue)),
    types.length,
  ]);
  const sums = new Float64Array(candidates.length);
  for (const ofCell of likelihoods) {
    places.forEach((of, tissue) => {
      const mean = of.reduce((sum, t) => sum + ofCell[t], 0) / of.length;
      sums[tissue] += Math.log(Math.max(Number.MIN_VALUE, mean));
    });
  }
  return candidates[sums.indexOf(sums.reduce((a, b) => Math.max(a, b), -Infinity))];
}

function isIn({ tissues }: MarkerSet, tissue: KnownTissue | "unknown"): boolean {
  return tissues.includes("any") || (tissue !== "unknown" && tissues.includes(tissue));
}

/**
 * Prior weight of each type, and of none: 1 for types of the tissue and for those found everywhere, unless the tissue is
 * known not to contain them, or they have no nucleus and cells were found by their nuclei.
 */
export function typeWeights(
  types: readonly MarkerSet[],
  tissue: KnownTissue | "unknown",
  nucleated: boolean,
): Float64Array {
  const weights = types.map((type) => {
    const misfits =
      isOutOfPlace(type.name, tissue) || (nucleated && hasNoNucleus(type.name, tissue));
    return isIn(type, tissue) && !misfits ? 1 : OWN_COUNTS.ELSEWHERE;
  });
  return Float64Array.from([...weights, 1]);
}
