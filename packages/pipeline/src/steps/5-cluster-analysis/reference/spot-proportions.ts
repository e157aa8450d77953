import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../../errors.ts";
import type { Matrix, SparseMatrix } from "../../../fields.ts";
import { chooseRows, rowSums, transpose } from "../../../numerics/sparse.ts";
import { shareIntervals } from "./share-intervals.ts";
import { tellingGenes } from "./telling-genes.ts";

/** Mean expression of each label. */
export interface LabelProfiles {
  labels: readonly string[];
  /** Genes of the data that the reference holds, ascending or not. */
  genes: Uint32Array;
  /** Labels × genes: share of a cell's UMIs. */
  profiles: Float64Array;
}

/** How a spot's RNA divides among the labels: nSpots × labels; rows sum to 1, or are 0 for spots without any UMI. */
export interface SpotProportions {
  share: Matrix<Float32Array>;
  /** The interval of each share. */
  low: Matrix<Float32Array>;
  high: Matrix<Float32Array>;
  /** Genes that the shares were fitted to. */
  nGenes: number;
}

/** Standard deviation of a gene's platform factor, as a share of it, before the data are seen. */
const PLATFORM_SPREAD = 0.7;
/** Counts of a spot weigh 1/(1 + DISPERSION · mean), because cells of a label differ. */
const DISPERSION = 0.01;
/** Rounds of expectation maximization, of all spots together and of each. */
const BULK_ROUNDS = 300;
const SPOT_ROUNDS = 120;
/** Spots fitted between two looks at the clock. */
const BLOCK = 256;

/**
 * Shares of a reference's labels in each spot: y_sg ~ Poisson(f_g Σ_k w_sk p_kg), w ≥ 0, with a platform factor f_g a gene for what
 * dissociated cells and tissue sections catch differently (the model of RCTD, Cable et al. 2022). f comes from all spots
 * together, under a gamma prior. O(rounds · spots · genes · labels).
 */
export async function spotProportions(
  reference: LabelProfiles,
  /** nGenes × nSpots, UMIs as counted. */
  byGene: SparseMatrix,
  options: { signal: AbortSignal; progress?(fraction: number): void },
): Promise<SpotProportions> {
  const chosen = tellingGenes(reference, byGene);
  const nLabels = reference.labels.length;
  const nSpots = byGene.nCols;
  const width = reference.genes.length;
  // nGenes × nLabels: the labels of a gene side by side.
  const profile = new Float64Array(chosen.length * nLabels);
  chosen.forEach((at, g) => {
    for (let k = 0; k < nLabels; k++) {
      profile[g * nLabels + k] = reference.profiles[k * width + at];
    }
  });
  const ofGenes = chooseRows(
    byGene,
    chosen.map((at) => reference.genes[at]),
  );
  const totals = rowSums(ofGenes);
  const counted = transpose(ofGenes);

  const bulk = fitWeights(profile, nLabels, {
    genes: Uint32Array.from(totals.keys()),
    counts: totals,
    rounds: BULK_ROUNDS,
    // Every gene may be off by its platform factor, whatever it counts.
    dispersion: PLATFORM_SPREAD ** 2,
  });
  const scaled = withFactors(profile, nLabels, totals, expected(profile, bulk));
  const weights = new Float64Array(nSpots * nLabels);
  for (let spot = 0; spot < nSpots; spot++) {
    if (spot % BLOCK === 0) {
      options.progress?.(spot / nSpots);
      await setImmediate();
      throwIfCancelled(options.signal);
    }
    const [from, to] = [counted.indptr[spot], counted.indptr[spot + 1]];
    const own = fitWeights(scaled, nLabels, {
      genes: counted.indices.subarray(from, to),
      counts: counted.data.subarray(from, to),
      rounds: SPOT_ROUNDS,
      dispersion: DISPERSION,
    });
    weights.set(own, spot * nLabels);
  }
  return {
    ...shareIntervals(scaled, nLabels, counted, weights, DISPERSION),
    nGenes: chosen.length,
  };
}

/** Expected count of each gene, profile · w. */
function expected(profile: Float64Array, weights: Float64Array): Float64Array {
  const nLabels = weights.length;
  return Float64Array.from({ length: profile.length / nLabels }, (_, g) => {
    let sum = 0;
    for (let k = 0; k < nLabels; k++) sum += weights[k] * profile[g * nLabels + k];
    return sum;
  });
}

/** The profiles times each gene's platform factor: its posterior mean under a gamma prior around 1. */
function withFactors(
  profile: Float64Array,
  nLabels: number,
  observed: Float64Array,
  predicted: Float64Array,
): Float64Array {
  const prior = 1 / PLATFORM_SPREAD ** 2;
  return profile.map((value, i) => {
    const g = Math.floor(i / nLabels);
    return (value * (observed[g] + prior)) / (predicted[g] + prior);
  });
}

/**
 * Weights ≥ 0 of the labels in one set of counts, by multiplicative updates that only raise the weighted likelihood.
 * Genes that are not listed counted 0.
 */
function fitWeights(
  profile: Float64Array,
  nLabels: number,
  fit: { genes: Uint32Array; counts: ArrayLike<number>; rounds: number; dispersion: number },
): Float64Array {
  const { genes, counts, rounds, dispersion } = fit;
  let total = 0;
  for (let i = 0; i < genes.length; i++) total += counts[i];
  if (total === 0) return new Float64Array(nLabels);
  const nGenes = profile.length / nLabels;
  const perLabel = new Float64Array(nLabels);
  for (let i = 0; i < profile.length; i++) perLabel[i % nLabels] += profile[i];
  const weights = perLabel.map((sum) => (sum > 0 ? total / sum / nLabels : 0));
  const seen = new Float64Array(nGenes);
  for (let i = 0; i < genes.length; i++) seen[genes[i]] = counts[i];
  const up = new Float64Array(nLabels);
  const down = new Float64Array(nLabels);
  for (let round = 0; round < rounds; round++) {
    up.fill(0);
    down.fill(0);
    for (let g = 0; g < nGenes; g++) {
      let mean = 0;
      for (let k = 0; k < nLabels; k++) mean += weights[k] * profile[g * nLabels + k];
      if (mean === 0) continue;
      const trust = 1 / (1 + dispersion * mean);
      const ratio = (trust * seen[g]) / mean;
      for (let k = 0; k < nLabels; k++) {
        const value = profile[g * nLabels + k];
        up[k] += ratio * value;
        down[k] += trust * value;
      }
    }
    for (let k = 0; k < nLabels; k++) weights[k] *= down[k] > 0 ? up[k] / down[k] : 0;
  }
  return weights;
}
