import type { SparseMatrix } from "@stipple/numerics/matrices";
import { normalized } from "@stipple/numerics/normalized";
import { columnSums } from "@stipple/numerics/sparse";
import { cellsByTotal, eachPosterior, type Compositions } from "./count-likelihood.ts";
import type { ExpectedLevels } from "./expected-levels.ts";
import { LEVELS, OWN_COUNTS } from "../model/constants.ts";
import { ROUNDS } from "../model/limits.ts";

const { AMBIENT } = LEVELS;
const { FIRST_EXPONENT, NONE_SHARE } = OWN_COUNTS;

/** What long loops report to, and where they let others run and end if cancelled. */
export interface Watched {
  pause?: (() => Promise<void>) | undefined;
  progress?: ((fraction: number) => void) | undefined;
}

export interface MixtureOptions extends Watched {
  /** Of the types' shares; equal if omitted. */
  weights?: Float64Array | undefined;
}

/**
 * Likelihoods of types in sampled cells (nTypes each, up to a factor per cell) with softened levels, and with bases for which
 * all types are equally frequent. O(20,000 cells · counts of a cell · types).
 */
export async function typeLikelihoods(
  counts: SparseMatrix,
  { levels, nTypes }: ExpectedLevels,
  { pause }: Watched,
): Promise<Float64Array[]> {
  const mean = meanComposition(counts);
  const equal = new Float64Array(nTypes).fill(1 / nTypes);
  const softened = levels.map((level) => level ** FIRST_EXPONENT);
  const base = basesOf(softened, nTypes, counts.nCols, mean, mean, equal);
  const sampled = cellsByTotal(counts, "sample");
  const likelihoods: Float64Array[] = [];
  await eachPosterior(counts, sampled, compositionsOf(softened, nTypes, base, mean), equal, {
    pause,
    visit: (cell, own) => (likelihoods[cell] = own.slice()),
  });
  // In the order of the cells, without those that were not sampled.
  return Object.values(likelihoods);
}

/**
 * Assigns cells (rows of `counts`, with the genes of `expected` as columns) to types: a cell's counts are negative
 * binomial, with composition half B_t and half mean. B_tg ∝ b_g · level_tg; the base b_g is such that the types together
 * have the sample's mean composition, so a gene that an abundant type expresses is not expected to rise further above it.
 * Shares of types and bases are fitted in turn. Returns the posterior of each cell's type, nCells × nTypes.
 * O(rounds · 20,000 cells + all cells) · counts of a cell · types.
 */
export async function fitCountMixture(
  counts: SparseMatrix,
  { levels, nTypes }: ExpectedLevels,
  { weights = new Float64Array(nTypes).fill(1), pause, progress }: MixtureOptions,
): Promise<Float32Array> {
  const nGenes = counts.nCols;
  const mean = meanComposition(counts);
  const sampled = cellsByTotal(counts, "sample");
  // None takes part only at the end: its composition is close to the sample's mean, as is that of an abundant type, whose
  // cells it would otherwise take while the bases are still too high for them.
  const none = nTypes - 1;
  let share = normalized(weights);
  share[none] = 0;
  let base = mean.slice();
  for (let round = 0; round < ROUNDS.OWN_COUNTS; round++) {
    const exponent = Math.min(
      1,
      FIRST_EXPONENT + ((1 - FIRST_EXPONENT) * 2 * round) / ROUNDS.OWN_COUNTS,
    );
    const softened = levels.map((level) => level ** exponent);
    const mass = new Float64Array(nTypes);
    const counted = new Float64Array(nTypes);
    await eachPosterior(counts, sampled, compositionsOf(softened, nTypes, base, mean), share, {
      pause,
      visit: (_cell, own, total) => {
        for (let t = 0; t < nTypes; t++) {
          mass[t] += own[t];
          counted[t] += own[t] * total;
        }
      },
    });
    share = normalized(mass.map((own, t) => own * weights[t]));
    share[none] = 0;
    base = basesOf(softened, nTypes, nGenes, mean, base, counted);
    progress?.((0.7 * (round + 1)) / ROUNDS.OWN_COUNTS);
  }
  share[none] = NONE_SHARE;
  const posterior = new Float32Array(counts.nRows * nTypes);
  let done = 0;
  await eachPosterior(
    counts,
    cellsByTotal(counts, "all"),
    compositionsOf(levels, nTypes, base, mean),
    share,
    {
      pause: async () => {
        progress?.(0.7 + (0.3 * done) / counts.nRows);
        await pause?.();
      },
      visit: (cell, own) => {
        posterior.set(own, cell * nTypes);
        done++;
      },
    },
  );
  return posterior;
}

/** Share of each gene in all counts. */
function meanComposition(counts: SparseMatrix): Float64Array {
  return normalized(columnSums(counts).map((sum) => sum + 0.5));
}

/** (B + mean) / 2 of each type. */
function compositionsOf(
  levels: Float64Array,
  nTypes: number,
  base: Float64Array,
  mean: Float64Array,
): Compositions {
  const nGenes = base.length;
  const shares = new Float64Array(nGenes * nTypes);
  for (let t = 0; t < nTypes; t++) {
    const total = totalOf(levels, t, base);
    for (let g = 0; g < nGenes; g++) {
      const expected = (levels[t * nGenes + g] * base[g]) / total;
      shares[g * nTypes + t] = (1 - AMBIENT) * expected + AMBIENT * mean[g];
    }
  }
  return { shares, nTypes };
}

function totalOf(levels: Float64Array, t: number, base: Float64Array): number {
  let total = 0;
  for (let g = 0; g < base.length; g++) total += levels[t * base.length + g] * base[g];
  return total;
}

/** Bases with which the types, by the counts of their cells, have the sample's mean composition together. */
function basesOf(
  levels: Float64Array,
  nTypes: number,
  nGenes: number,
  mean: Float64Array,
  base: Float64Array,
  counted: Float64Array,
): Float64Array<ArrayBuffer> {
  const all = counted.reduce((a, b) => a + b, 0);
  const level = new Float64Array(nGenes);
  for (let t = 0; t < nTypes; t++) {
    const share = counted[t] / all / totalOf(levels, t, base);
    for (let g = 0; g < nGenes; g++) level[g] += share * levels[t * nGenes + g];
  }
  return Float64Array.from(level, (own, g) => mean[g] / Math.max(1e-9, own));
}
