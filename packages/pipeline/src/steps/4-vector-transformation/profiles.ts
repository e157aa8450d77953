import { transposeDense } from "@stipple/numerics/dense";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { fitRates } from "../../model/fit-rates.ts";
import { openProductSums, type ProductSums } from "../../model/product-sums.ts";
import { countSums, improveDense, isDense } from "./dense-profiles.ts";
import { levelFor, spotLevels, type SpotLevels } from "./spot-levels.ts";
import { ROUNDS } from "../../model/limits.ts";

/** Prior for prototypes that no spot shows: the gene's mean times the prototype's richness. */
export interface ProfilePrior {
  /** Weight of the prior, in captured cells. */
  cells: number;
  /** Total RNA of a cell of each prototype, relative to the mean cell; 1 by default. */
  richness?: Float64Array;
  /** Multiplicity of each spot (in a bootstrap sample); 1 by default. */
  times?: Uint8Array;
  /** Whether profiles are fitted by least squares only, which does not need subsets of the spots. */
  leastSquaresOnly?: boolean;
}

/** Spots' exposure to the prototypes, E = diag(e)AM (nSpots × k), and quantities for non-negative least squares. */
export interface Exposure {
  data: Float32Array;
  k: number;
  /** Σ_k E_sk: RNA captured by each spot, in cells. */
  captured: Float64Array;
  /** E_sk / captured_s. */
  share: Float32Array;
  /** Σ_s E_sk. */
  totals: Float64Array;
  /** Eᵀ diag(1/captured) E + prior, k × k. */
  gram: Float64Array;
  richness: Float64Array;
  /** Weight of the prior, in captured cells. */
  prior: number;
  times: Uint8Array | undefined;
  /** Subsets of the spots for fitting abundant genes; undefined if there are few spots. */
  levels: SpotLevels | undefined;
}

/** Prepares an exposure matrix. O(nSpots · k²). */
export function exposureOf(data: Float32Array, k: number, prior: ProfilePrior): Exposure {
  const nSpots = data.length / k;
  const captured = new Float64Array(nSpots);
  const share = new Float32Array(data.length);
  const totals = new Float64Array(k);
  const richness = prior.richness ?? new Float64Array(k).fill(1);
  const used: number[] = [];
  for (let s = 0; s < nSpots; s++) {
    const times = prior.times ? prior.times[s] : 1;
    const [from, to] = [s * k, (s + 1) * k];
    let all = 0;
    for (let at = from; at < to; at++) all += data[at];
    captured[s] = all;
    if (!(all > 0) || times === 0) continue;
    for (let at = from, j = 0; at < to; at++, j++) {
      const seen = times * data[at];
      totals[j] += seen;
      share[at] = seen / all;
    }
    used.push(s);
  }
  const gram = sumProducts(share, data, k, used);
  for (let j = 0; j < k; j++) gram[j * k + j] += prior.cells;
  return {
    data,
    k,
    captured,
    share,
    totals,
    gram,
    richness,
    prior: prior.cells,
    times: prior.times,
    levels: prior.leastSquaresOnly ? undefined : spotLevels(data, k),
  };
}

/** Spots whose products are added together. */
const TOGETHER = 4;
/** Opened once per thread. */
let productSums: ProductSums<Float32Array> | undefined;

/** Σ over some spots of share · rowᵀ, k × k: products of their exposures to pairs of prototypes. */
export function sumProducts(
  share: Float32Array,
  data: Float32Array,
  k: number,
  spots: readonly number[],
): Float64Array {
  productSums ??= openProductSums(TOGETHER, Float32Array);
  const { sums, rows, rowLength } = productSums.reserve(k, k);
  /** Of each prototype in the spots that are added together, and the places of these. */
  const shares = new Float64Array(TOGETHER * k);
  const places = Uint32Array.from(shares, (_, i) => i % TOGETHER);
  for (let first = 0; first < spots.length; first += TOGETHER) {
    const n = Math.min(TOGETHER, spots.length - first);
    for (let i = 0; i < n; i++) {
      for (let j = 0, at = spots[first + i] * k; j < k; j++, at++) {
        shares[TOGETHER * j + i] = share[at];
        rows[rowLength * i + j] = data[at];
      }
    }
    for (let j = 0; j < k; j++) {
      productSums.add(j, places, shares, TOGETHER * j, TOGETHER * j + n);
    }
  }
  return sums.slice();
}

/**
 * Richness of the prototypes: their total RNA relative to the mean cell, from expectation–maximization on the spot
 * totals with a prior of `cells` mean cells. O(rounds · nSpots · k).
 */
export function richnessOf(
  data: Float32Array,
  k: number,
  totals: Float64Array,
  cells: number,
): Float64Array<ArrayBuffer> {
  const nSpots = data.length / k;
  const mass = new Float64Array(k);
  let everything = 0;
  let total = 0;
  for (let s = 0; s < nSpots; s++) {
    let captured = 0;
    for (let j = 0; j < k; j++) {
      mass[j] += data[s * k + j];
      captured += data[s * k + j];
    }
    everything += captured;
    if (captured > 0) total += totals[s];
  }
  const richness = new Float64Array(k).fill(1);
  if (!(total > 0) || !(everything > 0)) return richness;
  const mean = total / everything;
  // Totals are treated as counts of a gene in all spots. The result has its own memory, which is transferred with it.
  fitRates(
    {
      exposure: data,
      places: Uint32Array.from({ length: nSpots }, (_, s) => s),
      counts: totals.map((count) => count / mean),
      mass,
      prior: { counts: new Float64Array(k).fill(cells), exposure: cells },
      rounds: ROUNDS.TOTALS,
    },
    richness,
  );
  return richness;
}

/** Scratch space for fitting one gene at a time. */
export interface ProfileFit {
  /** Rates of the gene in the k prototypes after the last call. */
  b: Float64Array;
  /** Mean rate of the gene in a captured cell of mean richness. */
  mean: number;
}

/**
 * Non-negative least squares of one gene's counts y on the exposure, with rows weighted by 1/captured (the inverse of
 * their Poisson variance) and shrinkage toward the prior: coordinate descent on the k × k normal equations, which all
 * genes share. `gradient` holds −Σ y · share for each prototype and is overwritten; `sum` is Σ y. O(sweeps · k²).
 */
export function descend(
  exposure: Exposure,
  gradient: Float64Array | Float32Array,
  sum: number,
  fit: ProfileFit,
): void {
  const { k, gram, richness, prior } = exposure;
  const { b } = fit;
  const mean = startProfile(exposure, sum, b);
  fit.mean = mean;
  if (mean === 0) return;
  for (let j = 0; j < k; j++) {
    gradient[j] -= prior * mean * richness[j];
    for (let l = 0; l < k; l++) gradient[j] += gram[j * k + l] * b[l];
  }
  for (let sweep = 0; sweep < ROUNDS.SWEEPS; sweep++) {
    let largest = 0;
    for (let j = 0; j < k; j++) {
      const moved = Math.max(0, b[j] - gradient[j] / gram[j * k + j]) - b[j];
      if (moved === 0) continue;
      b[j] += moved;
      // Read a row instead of a column: the matrix is symmetric.
      for (let l = 0, at = j * k; l < k; l++, at++) gradient[l] += moved * gram[at];
      largest = Math.max(largest, Math.abs(moved));
    }
    if (largest < 1e-3 * mean) break;
  }
}

/** Writes the starting rates of a gene with this total into `b`: its mean times the prototypes' richness. Returns the mean. */
function startProfile({ k, totals, richness }: Exposure, sum: number, b: Float64Array): number {
  let everything = 0;
  for (let j = 0; j < k; j++) everything += totals[j] * richness[j];
  const mean = everything > 0 ? sum / everything : 0;
  for (let j = 0; j < k; j++) b[j] = mean * richness[j];
  return mean;
}

/** A block of genes for a worker thread to fit. */
export interface ProfileTask {
  exposure: Exposure;
  /** Genes × spots. */
  byGene: SparseMatrix;
  /** Rounds of expectation–maximization; 0 = non-negative least squares. */
  rounds: number;
}

/**
 * Estimates profiles B (k × nGenes) of the prototypes from spots: Y_sg ~ Poisson(Σ_k E_sk B_kg) with E fixed, by
 * multiplicative expectation–maximization (Richardson 1972, Lucy 1974) with a gamma prior around the gene's mean times
 * the prototype's richness, which is also the starting point; with 0 rounds, by {@link descend}. EB is
 * evaluated only where Y > 0 and, for genes with many entries, only in a subset of spots: O(rounds · entries · k).
 * Genes are independent of each other. `sums`: Σ y · share of each gene (genes × k), if they are known.
 */
export function solveProfiles(
  { exposure, byGene, rounds }: ProfileTask,
  sums?: Float32Array,
): Float32Array<ArrayBuffer> {
  const { k } = exposure;
  const nGenes = byGene.nRows;
  const profile = new Float32Array(k * nGenes);
  const fit: ProfileFit = { b: new Float64Array(k), mean: 0 };
  const gradient = new Float64Array(k);
  for (let g = 0; g < nGenes; g++) {
    if (rounds > 0) fitProfile(exposure, byGene, g, rounds, fit.b);
    else {
      if (sums) for (let j = 0; j < k; j++) gradient[j] = -sums[g * k + j];
      else gradientOf(exposure, byGene, g, gradient);
      descend(exposure, gradient, countsIn(exposure, byGene, g), fit);
    }
    for (let j = 0; j < k; j++) profile[j * nGenes + g] = fit.b[j];
  }
  return profile;
}

/** Fits profiles as {@link solveProfiles} does, or by dense matrix products where these are faster: many nonzero counts. */
export async function fitProfiles(task: ProfileTask): Promise<Float32Array<ArrayBuffer>> {
  const { exposure, byGene } = task;
  if (!isDense(task)) return solveProfiles(task);
  if (task.rounds === 0) return solveProfiles(task, await countSums(exposure, byGene));
  if (exposure.levels) return solveProfiles(task);
  const { k } = exposure;
  const nGenes = byGene.nRows;
  const rates = new Float64Array(nGenes * k);
  for (let g = 0; g < nGenes; g++) {
    startProfile(exposure, countsIn(exposure, byGene, g), rates.subarray(g * k));
  }
  return transposeDense(await improveDense(task, rates), nGenes, k);
}

/** −Σ y · share over the spots that capture cells, of one gene. */
function gradientOf(
  { k, share, captured }: Exposure,
  { indptr, indices, data }: SparseMatrix,
  gene: number,
  gradient: Float64Array,
): void {
  gradient.fill(0);
  for (let n = indptr[gene]; n < indptr[gene + 1]; n++) {
    if (!(captured[indices[n]] > 0)) continue;
    for (let j = 0, at = indices[n] * k; j < k; j++, at++) gradient[j] -= data[n] * share[at];
  }
}

/** A gene's total count in spots that capture cells, with each spot's multiplicity. */
export function countsIn(
  { captured, times }: Exposure,
  byGene: SparseMatrix,
  gene: number,
): number {
  let sum = 0;
  for (let n = byGene.indptr[gene]; n < byGene.indptr[gene + 1]; n++) {
    const s = byGene.indices[n];
    if (captured[s] > 0) sum += times ? times[s] * byGene.data[n] : byGene.data[n];
  }
  return sum;
}

/** Expectation–maximization for one gene; writes into `b` (k). */
function fitProfile(
  exposure: Exposure,
  byGene: SparseMatrix,
  gene: number,
  rounds: number,
  b: Float64Array,
): void {
  const { k, data, richness, prior, levels } = exposure;
  const mean = startProfile(exposure, countsIn(exposure, byGene, gene), b);
  if (mean === 0) return;
  const [first, end] = [byGene.indptr[gene], byGene.indptr[gene + 1]];
  const level = levels ? levelFor(end - first) : 0;
  let places = byGene.indices.subarray(first, end);
  let counts = byGene.data.subarray(first, end);
  if (levels && level > 0) {
    const isUsed = (spot: number): boolean => levels.of[spot] >= level;
    counts = counts.filter((_, i) => isUsed(places[i]));
    places = places.filter(isUsed);
  }
  const mass = level > 0 ? levels!.totals.subarray(level * k, (level + 1) * k) : exposure.totals;
  const priorCounts = richness.map((own) => prior * mean * own);
  fitRates(
    {
      exposure: data,
      places,
      counts,
      mass,
      prior: { counts: priorCounts, exposure: prior },
      rounds,
    },
    b,
  );
  if (level > 0) keepMean(exposure, mean, b);
}

/** Rescales rates fitted to a subset of spots to the gene's counts in all spots. */
function keepMean({ k, totals, richness }: Exposure, mean: number, b: Float64Array): void {
  let counted = 0;
  let expected = 0;
  for (let j = 0; j < k; j++) {
    counted += mean * totals[j] * richness[j];
    expected += totals[j] * b[j];
  }
  if (expected > 0) for (let j = 0; j < k; j++) b[j] *= counted / expected;
}
