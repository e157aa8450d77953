import type { ExpectedLevels } from "./expected-levels.ts";
import { NAMES } from "../model/type-constants.ts";

const { MEAN_SHARE, COUNTS, MIN_LEAD, ROUNDS } = NAMES;

/** What the fitted profiles of types say about their names. */
export interface ProfileSupport {
  /** For each type, the fitted type that its profile is of: its own index, unless another one's levels fit far better. */
  sameAs: Int32Array;
  /**
   * For each type, the log likelihood of 30 of its counts by the levels of `sameAs`, minus that by the mean composition.
   * Below 0, its genes do not speak for the name.
   */
  support: Float64Array;
}

/**
 * Compares each fitted type's profile with the levels that the catalog expects of all of them. Types are fitted by few
 * marker genes and by looks; their profiles over all listed genes are independent evidence. In a fibrous tumor, a group
 * of fibroblasts that contract is fitted as smooth muscle by ACTA2 and MYH11, but it expresses collagens.
 * @param profiles rates, (types + 1) × nGenes, the last row of cells of no type
 * @param mass cells of each type and of none
 * @param expected levels of the same types
 */
export function profileSupport(
  profiles: Float32Array,
  mass: Float64Array,
  { genes, levels, nTypes }: ExpectedLevels,
): ProfileSupport {
  const nGenes = profiles.length / nTypes;
  const k = nTypes - 1;
  const compositions = Array.from({ length: nTypes }, (_, t) =>
    shares(Float64Array.from(genes, (gene) => profiles[t * nGenes + gene] + 1e-6)),
  );
  const counted = Float64Array.from(mass, (cells, t) => {
    let total = 0;
    for (const gene of genes) total += profiles[t * nGenes + gene];
    return cells * total;
  });
  const mean = new Float64Array(genes.length);
  compositions.forEach((own, t) => own.forEach((share, g) => (mean[g] += counted[t] * share)));
  const expected = expectedCompositions(levels, counted, shares(mean));
  const likelihood = (t: number, of: number): number =>
    COUNTS * compositions[t].reduce((sum, share, g) => sum + share * Math.log(expected[of][g]), 0);
  const sameAs = new Int32Array(k);
  const support = new Float64Array(k);
  for (let t = 0; t < k; t++) {
    const by = Array.from({ length: nTypes }, (_, of) => likelihood(t, of));
    const best = by.slice(0, k).reduce((top, value, of) => (value > by[top] ? of : top), t);
    sameAs[t] = by[best] - by[t] > MIN_LEAD ? best : t;
    support[t] = by[sameAs[t]] - by[k];
  }
  return { sameAs, support };
}

/** 0.85 B + 0.15 mean, where B_tg ∝ b_g · level_tg and the bases b are such that all types together have the mean. */
function expectedCompositions(
  levels: Float64Array,
  counted: Float64Array,
  mean: Float64Array,
): Float64Array[] {
  const nGenes = mean.length;
  const all = counted.reduce((a, b) => a + b, 0);
  let base = mean;
  const rows = (): Float64Array[] =>
    Array.from(counted, (_, t) => shares(base.map((value, g) => value * levels[t * nGenes + g])));
  for (let round = 0; round < ROUNDS; round++) {
    const total = new Float64Array(nGenes);
    rows().forEach((row, t) => row.forEach((share, g) => (total[g] += (counted[t] / all) * share)));
    base = base.map((value, g) => (value * mean[g]) / Math.max(1e-12, total[g]));
  }
  return rows().map((row) =>
    row.map((share, g) => (1 - MEAN_SHARE) * share + MEAN_SHARE * mean[g]),
  );
}

function shares(values: Float64Array): Float64Array {
  const total = values.reduce((a, b) => a + b, 0);
  return values.map((value) => value / total);
}
