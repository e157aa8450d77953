import { NAMES } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";
import type { ExpectedLevels } from "./expected-levels.ts";

const { MEAN_SHARE, COUNTS, MIN_LEAD, CLEAR, MIN_EXPLAINED } = NAMES;

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
 * The type that each component's profile is of: the one it was fitted as, unless another fits far better; −1: of none.
 * Compares each fitted component's profile with the levels that the catalog expects of all types that the tissue can
 * contain. Components are fitted by few marker genes and by looks; their profiles over all listed genes are independent
 * evidence. In a fibrous tumor, a group of fibroblasts that contract is fitted as smooth muscle by ACTA2 and MYH11, but it
 * expresses collagens. A component whose profile differs clearly from the mean, hardly any of it as its type should, is of
 * no type: it holds cells with stray counts of rare genes. O(components · types · genes).
 */
export function typesByProfile(
  { profiles, mass, fittedAs }: Components,
  { genes, levels, nTypes }: ExpectedLevels,
): Int32Array {
  const nGenes = profiles.length / mass.length;
  const none = nTypes - 1;
  const counted = new Float64Array(mass.length);
  const compositions = Array.from(mass, (cells, c) => {
    const rates = Float64Array.from(genes, (gene) => profiles[c * nGenes + gene] + 1e-6);
    counted[c] = cells * rates.reduce((a, b) => a + b, 0);
    return shares(rates);
  });
  const mean = new Float64Array(genes.length);
  compositions.forEach((own, c) => own.forEach((share, g) => (mean[g] += counted[c] * share)));
  const usual = shares(mean);
  const typeOf = Int32Array.from(fittedAs);
  let by: number[][] = [];
  // What a component is changes the bases, and so what the others are.
  for (let round = 0, changed = true; changed && round < ROUNDS.PROFILES; round++) {
    const expected = logCompositions(levels, [...typeOf, none], counted, usual);
    by = compositions.map((own) =>
      expected.map((row) => COUNTS * own.reduce((sum, share, g) => sum + share * row[g], 0)),
    );
    const now = fittedAs.map((type, c) => likeliest(by[c], type, none));
    changed = now.some((type, c) => type !== typeOf[c]);
    typeOf.set(now);
  }
  compositions.slice(0, fittedAs.length).forEach((own, c) => {
    const unusual =
      COUNTS * own.reduce((sum, share, g) => sum + share * Math.log(share / usual[g]), 0);
    const explained = (by[c][typeOf[c]] - by[c][none]) / (unusual + CLEAR);
    if (unusual > CLEAR && explained < MIN_EXPLAINED) typeOf[c] = -1;
  });
  return typeOf;
}

/** The type it was fitted as, unless another one's levels are likelier by more than {@link MIN_LEAD}. */
function likeliest(by: readonly number[], fittedAs: number, none: number): number {
  const best = by.slice(0, none).reduce((top, value, t) => (value > by[top] ? t : top), fittedAs);
  return by[best] - by[fittedAs] > MIN_LEAD ? best : fittedAs;
}

/**
 * log(0.85 B + 0.15 mean) of every type, where B_tg ∝ b_g · level_tg and the bases b are such that the components, each of
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
    shares(base.map((value, g) => value * levels[t * nGenes + g]));
  for (let round = 0; round < ROUNDS.PROFILES; round++) {
    const total = new Float64Array(nGenes);
    typeOf.forEach((type, c) =>
      rowOf(type).forEach((share, g) => (total[g] += (counted[c] / all) * share)),
    );
    base = base.map((value, g) => (value * mean[g]) / Math.max(1e-12, total[g]));
  }
  return Array.from({ length: levels.length / nGenes }, (_, t) =>
    rowOf(t).map((share, g) => Math.log((1 - MEAN_SHARE) * share + MEAN_SHARE * mean[g])),
  );
}

function shares(values: Float64Array): Float64Array<ArrayBuffer> {
  const total = values.reduce((a, b) => a + b, 0);
  return Float64Array.from(values, (value) => value / total);
}
