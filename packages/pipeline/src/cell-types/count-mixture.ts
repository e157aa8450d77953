import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { ExpectedLevels } from "./expected-levels.ts";
import { OWN_COUNTS } from "../model/constants.ts";
import { ROUNDS, SAMPLES } from "../model/limits.ts";

const { AMBIENT, FIRST_EXPONENT, NONE_SHARE } = OWN_COUNTS;
const { CELLS: MAX_FITTED } = SAMPLES;
const CELLS_PER_PAUSE = 2048;

/** A mixture of the catalog's types, fitted to the counts of cells. */
export interface CountMixture {
  /** Share of the cells of each type and, last, of none. */
  share: Float64Array;
  /** nCells × nTypes. */
  posterior: Float32Array;
}

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
 * Likelihoods of types (sampled cells × nTypes, up to a factor per cell) with softened levels, and with bases for which all
 * types are equally frequent. O(20,000 cells · counts of a cell · types).
 */
export async function typeLikelihoods(
  counts: SparseMatrix,
  { levels, nTypes }: ExpectedLevels,
  { pause }: Watched,
): Promise<Float64Array> {
  const mean = meanComposition(counts);
  const equal = new Float64Array(nTypes).fill(1 / nTypes);
  const softened = levels.map((level) => level ** FIRST_EXPONENT);
  const base = basesOf(softened, nTypes, counts.nCols, mean, mean, equal);
  const logs = logProfiles(softened, nTypes, base, mean);
  const stride = strideOf(counts);
  const own = new Float64Array(nTypes);
  const likelihoods = new Float64Array(Math.ceil(counts.nRows / stride) * nTypes);
  for (let cell = 0, n = 0; cell < counts.nRows; cell += stride, n++) {
    if (n % CELLS_PER_PAUSE === 0) await pause?.();
    posteriorOf(counts, cell, logs, equal, own);
    likelihoods.set(own, n * nTypes);
  }
  return likelihoods;
}

/**
 * Assigns cells (rows of `counts`, with the genes of `expected` as columns) to types: a cell's counts are multinomial,
 * with composition half B_t and half mean. B_tg ∝ b_g · level_tg; the base b_g is such that the types together have the
 * sample's mean composition, so a gene that an abundant type expresses is not expected to rise further above it. Shares
 * of types and bases are fitted in turn.
 * O(rounds · 20,000 cells + all cells) · counts of a cell · types.
 */
export async function fitCountMixture(
  counts: SparseMatrix,
  { levels, nTypes }: ExpectedLevels,
  { weights = new Float64Array(nTypes).fill(1), pause, progress }: MixtureOptions,
): Promise<CountMixture> {
  const nGenes = counts.nCols;
  const mean = meanComposition(counts);
  const stride = strideOf(counts);
  // None takes part only at the end: its composition is close to the sample's mean, as is that of an abundant type, whose
  // cells it would otherwise take while the bases are still too high for them.
  const none = nTypes - 1;
  const own = new Float64Array(nTypes);
  let share = sharesOf(new Float64Array(nTypes).fill(1), weights);
  share[none] = 0;
  let base = mean.slice();
  for (let round = 0; round < ROUNDS.OWN_COUNTS; round++) {
    const exponent = Math.min(
      1,
      FIRST_EXPONENT + ((1 - FIRST_EXPONENT) * 2 * round) / ROUNDS.OWN_COUNTS,
    );
    const softened = levels.map((level) => level ** exponent);
    const logs = logProfiles(softened, nTypes, base, mean);
    const mass = new Float64Array(nTypes);
    const counted = new Float64Array(nTypes);
    for (let cell = 0, n = 0; cell < counts.nRows; cell += stride, n++) {
      if (n % CELLS_PER_PAUSE === 0) await pause?.();
      const total = posteriorOf(counts, cell, logs, share, own);
      for (let t = 0; t < nTypes; t++) {
        mass[t] += own[t];
        counted[t] += own[t] * total;
      }
    }
    share = sharesOf(mass, weights);
    share[none] = 0;
    base = basesOf(softened, nTypes, nGenes, mean, base, counted);
    progress?.((0.7 * (round + 1)) / ROUNDS.OWN_COUNTS);
  }
  share[none] = NONE_SHARE;
  const logs = logProfiles(levels, nTypes, base, mean);
  const posterior = new Float32Array(counts.nRows * nTypes);
  for (let cell = 0; cell < counts.nRows; cell++) {
    if (cell % CELLS_PER_PAUSE === 0) {
      progress?.(0.7 + (0.3 * cell) / counts.nRows);
      await pause?.();
    }
    posteriorOf(counts, cell, logs, share, own);
    posterior.set(own, cell * nTypes);
  }
  return { share, posterior };
}

/** The fit uses every so many cells of a large sample. */
function strideOf({ nRows }: SparseMatrix): number {
  return Math.max(1, Math.ceil(nRows / MAX_FITTED));
}

/** Share of each gene in all counts. */
function meanComposition({ indices, data, nCols }: SparseMatrix): Float64Array {
  const sums = new Float64Array(nCols).fill(0.5);
  for (let k = 0; k < indices.length; k++) sums[indices[k]] += data[k];
  const total = sums.reduce((a, b) => a + b, 0);
  return sums.map((sum) => sum / total);
}

/** log((B + mean) / 2), nGenes × nTypes: the types of a gene are adjacent. */
function logProfiles(
  levels: Float64Array,
  nTypes: number,
  base: Float64Array,
  mean: Float64Array,
): Float64Array {
  const nGenes = base.length;
  const logs = new Float64Array(nGenes * nTypes);
  for (let t = 0; t < nTypes; t++) {
    const total = totalOf(levels, t, base);
    for (let g = 0; g < nGenes; g++) {
      const expected = (levels[t * nGenes + g] * base[g]) / total;
      logs[g * nTypes + t] = Math.log((1 - AMBIENT) * expected + AMBIENT * mean[g]);
    }
  }
  return logs;
}

function totalOf(levels: Float64Array, t: number, base: Float64Array): number {
  let total = 0;
  for (let g = 0; g < base.length; g++) total += levels[t * base.length + g] * base[g];
  return total;
}

/** Fills `own` with the cell's posterior; returns its number of counts. */
function posteriorOf(
  { indptr, indices, data }: SparseMatrix,
  cell: number,
  logs: Float64Array,
  share: Float64Array,
  own: Float64Array,
): number {
  const nTypes = own.length;
  own.fill(0);
  let total = 0;
  for (let k = indptr[cell]; k < indptr[cell + 1]; k++) {
    const [count, from] = [data[k], indices[k] * nTypes];
    total += count;
    for (let t = 0; t < nTypes; t++) own[t] += count * logs[from + t];
  }
  let most = -Infinity;
  for (let t = 0; t < nTypes; t++) {
    own[t] += Math.log(share[t]);
    most = Math.max(most, own[t]);
  }
  let sum = 0;
  for (let t = 0; t < nTypes; t++) sum += own[t] = Math.exp(own[t] - most);
  for (let t = 0; t < nTypes; t++) own[t] /= sum;
  return total;
}

function sharesOf(mass: Float64Array, weights: Float64Array): Float64Array<ArrayBuffer> {
  const shares = Float64Array.from(mass, (own, t) => own * weights[t]);
  const total = shares.reduce((a, b) => a + b, 0);
  return shares.map((share) => share / total);
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
