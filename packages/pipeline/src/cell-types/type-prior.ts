import { TISSUES, type KnownTissue } from "@stipple/contract/tissues";
import { isOutOfPlace } from "../markers/out-of-place.ts";
import type { MarkerSet } from "../markers/marker-set.ts";
import { hasNoNucleus } from "../markers/without-nucleus.ts";
import { OWN_COUNTS } from "../model/constants.ts";

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
