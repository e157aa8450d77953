import { normalized } from "@stipple/numerics/normalized";
import { softmax } from "@stipple/numerics/softmax";
import { LEVELS, NAMES } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";
import type { ExpectedLevels } from "./expected-levels.ts";

const { AMBIENT } = LEVELS;
const { COUNTS, FITTED_ODDS, CLEAR, MIN_EXPLAINED } = NAMES;
const FITTED_LEAD = Math.log(FITTED_ODDS);

/** Fitted components: types, and last the cells of no type. */
export interface Components {
  /** Rates, components × nGenes. */
  profiles: Float32Array;
  /** Cells of each. */
  mass: Float64Array;
  /** The type that each was fitted as, without the last: an index into the expected levels. */
  fittedAs: readonly number[];
}

/**
 * Probability that each component is of each type, or last of none (rows of nTypes), by its profile over all listed genes
 * and the levels that the catalog expects of all types that the tissue can contain. Components are fitted by few marker
 * genes and by looks, so their profiles are independent evidence: in a fibrous tumor, a group of fibroblasts that contract
 * is fitted as smooth muscle by ACTA2 and MYH11, but it expresses collagens. A component whose profile differs clearly from
 * the mean, hardly any of it as its type should, is of no type: it holds cells with stray counts of rare genes. The last
 * component has no row. O(components · types · genes).
 */
export function typesByProfile(
  { profiles, mass, fittedAs }: Components,
  { genes, levels, nTypes }: ExpectedLevels,
): Float64Array[] {
  const nGenes = profiles.length / mass.length;
  const none = nTypes - 1;
  const counted = new Float64Array(mass.length);
  const compositions = Array.from(mass, (cells, c) => {
    const rates = Float64Array.from(genes, (gene) => profiles[c * nGenes + gene] + 1e-6);
    counted[c] = cells * rates.reduce((a, b) => a + b, 0);
    return normalized(rates);
  });
  const mean = new Float64Array(genes.length);
  compositions.forEach((own, c) => own.forEach((share, g) => (mean[g] += counted[c] * share)));
  const usual = normalized(mean);
  let typeOf = [...fittedAs];
  /** log P(component | type), weighed by how it was fitted. */
  let logs: Float64Array[] = [];
  // What a component is changes the bases, and so what the others are.
  for (let round = 0, changed = true; changed && round < ROUNDS.PROFILES; round++) {
    const expected = logCompositions(levels, [...typeOf, none], counted, usual);
    logs = fittedAs.map((own, c) =>
      Float64Array.from(
        expected,
        (row, t) =>
          COUNTS * compositions[c].reduce((sum, share, g) => sum + share * row[g], 0) +
          (t === own ? FITTED_LEAD : 0),
      ),
    );
    const now = logs.map((own) => likeliest(own, none));
    changed = now.some((type, c) => type !== typeOf[c]);
    typeOf = now;
  }
  return logs.map((own, c) => {
    const best = own[typeOf[c]];
    const unusual =
      COUNTS *
      compositions[c].reduce((sum, share, g) => sum + share * Math.log(share / usual[g]), 0);
    const explained = best - (typeOf[c] === fittedAs[c] ? FITTED_LEAD : 0) - own[none];
    const isNone = unusual > CLEAR && explained < MIN_EXPLAINED * (unusual + CLEAR);
    const odds = own.map((value, t) => ((t === none) === isNone ? value : -Infinity));
    softmax(odds);
    return odds;
  });
}

/** The likeliest type, without none. */
function likeliest(logs: Float64Array, none: number): number {
  const types = logs.subarray(0, none);
  return types.indexOf(types.reduce((a, b) => Math.max(a, b), -Infinity));
}

/**
 * log((B + mean) / 2) of every type, where B_tg ∝ b_g · level_tg and the bases b are such that the components, each of
 * its type, have the mean together.
 */
function logCompositions(
  levels: Float64Array,
  typeOf: readonly number[],
  counted: Float64Array,
  mean: Float64Array,
): Float64Array[] {
  const nGenes = mean.length;
  const all = counted.reduce((a, b) => a + b, 0);
  let base = mean;
  const rowOf = (t: number): Float64Array =>
    normalized(base.map((value, g) => value * levels[t * nGenes + g]));
  for (let round = 0; round < ROUNDS.PROFILES; round++) {
    const total = new Float64Array(nGenes);
    typeOf.forEach((type, c) =>
      rowOf(type).forEach((share, g) => (total[g] += (counted[c] / all) * share)),
    );
    base = base.map((value, g) => (value * mean[g]) / Math.max(1e-12, total[g]));
  }
  return Array.from({ length: levels.length / nGenes }, (_, t) =>
    rowOf(t).map((share, g) => Math.log((1 - AMBIENT) * share + AMBIENT * mean[g])),
  );
}
