import { TISSUES, type KnownTissue } from "@stipple/contract/tissues";
import { isOutOfPlace } from "../markers/out-of-place.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import { OWN_COUNTS } from "../model/constants.ts";

const { ELSEWHERE } = OWN_COUNTS;

/** Probability of each tissue. */
export type TissueShares = ReadonlyMap<KnownTissue, number>;

/** All of it in the given tissue. */
export function onlyTissue(tissue: KnownTissue): TissueShares {
  return new Map([[tissue, 1]]);
}

/**
 * The tissue whose types, with those found everywhere, are the likeliest on average over types: with one type that fits, a
 * tissue of three types beats one of twenty, of which some fit a cell by chance.
 * @param likelihoods cells × (types + 1), up to a factor per cell, the last of none, which counts in every tissue
 */
export function likeliestTissue(
  types: readonly MarkerSet[],
  likelihoods: Float64Array,
): KnownTissue {
  const width = types.length + 1;
  const places = TISSUES.map((tissue) => [
    ...[...types.keys()].filter((t) => isIn(types[t], tissue)),
    types.length,
  ]);
  const sums = new Float64Array(TISSUES.length);
  for (let from = 0; from < likelihoods.length; from += width) {
    places.forEach((of, tissue) => {
      const mean = of.reduce((sum, t) => sum + likelihoods[from + t], 0) / of.length;
      sums[tissue] += Math.log(Math.max(Number.MIN_VALUE, mean));
    });
  }
  return TISSUES[sums.indexOf(sums.reduce((a, b) => Math.max(a, b), -Infinity))];
}

function isIn({ tissues }: MarkerSet, tissue: KnownTissue): boolean {
  return tissues.includes("any") || tissues.includes(tissue);
}

/**
 * How much the cells speak for each tissue: the squared mass of the types that are found only there, so that one tissue
 * with many of its own cells outweighs several with stray ones. A type of two tissues counts half for each.
 */
export function tissueShares(types: readonly MarkerSet[], mass: Float64Array): TissueShares {
  const sums = new Map<KnownTissue, number>();
  types.forEach(({ tissues }, t) => {
    if (tissues.includes("any")) return;
    for (const tissue of tissues as readonly KnownTissue[]) {
      sums.set(tissue, (sums.get(tissue) ?? 0) + mass[t] / tissues.length);
    }
  });
  const squares = TISSUES.map((tissue) => [tissue, (sums.get(tissue) ?? 0) ** 2] as const);
  const total = squares.reduce((sum, [, square]) => sum + square, 0);
  return new Map(total > 0 ? squares.map(([tissue, square]) => [tissue, square / total]) : []);
}

/**
 * Prior weight of each type, and of none, given how likely each tissue is. Types found everywhere have weight 1 unless
 * the tissue is known not to contain them, or they have no nucleus and cells were found by their nuclei.
 */
export function typeWeights(
  types: readonly MarkerSet[],
  shares: TissueShares,
  nucleated: boolean,
): Float64Array {
  const weights = types.map(({ name, tissues }) => {
    let weight = tissues.includes("any") ? 1 : 0;
    for (const [tissue, share] of shares) {
      if (tissues.includes("any")) {
        const misfit =
          isOutOfPlace(name, tissue) || (nucleated && hasNoNucleus(name, tissue)) ? share : 0;
        weight -= misfit;
      } else if (tissues.includes(tissue)) weight += share;
    }
    if (shares.size === 0 && nucleated && hasNoNucleus(name, "unknown")) weight = 0;
    return Math.max(ELSEWHERE, weight);
  });
  return Float64Array.from([...weights, 1]);
}
