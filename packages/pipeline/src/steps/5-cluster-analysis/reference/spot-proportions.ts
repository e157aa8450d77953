import { pause } from "../../../engine/pause.ts";
import { ridgeInverse } from "@stipple/numerics/dense";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { chooseRows, denseRow, rowSums, transpose } from "@stipple/numerics/sparse";
import { fitRates } from "../../../model/fit-rates.ts";
import { timesPrototypes } from "../../../model/prototype-sums.ts";
import { genesOfLabels } from "../../../reference/genes-of-labels.ts";
import type { LabelProfiles } from "../../../reference/read-reference.ts";
import { REFERENCES } from "../../../model/constants.ts";
import { GUARDS, ROUNDS } from "../../../model/limits.ts";

/** Composition of each spot's RNA by label: nSpots × labels; rows sum to 1, or are 0 for spots without UMIs. */
export interface SpotProportions {
  share: Matrix<Float32Array>;
  /** Interval of each share. */
  low: Matrix<Float32Array>;
  high: Matrix<Float32Array>;
  /** Number of genes used to fit the shares. */
  nGenes: number;
}

/** Spots fitted between pauses. */
const BLOCK = 256;

/**
 * Estimates shares of a reference's labels in each spot: y_sg ~ Poisson(f_g Σ_k w_sk p_kg), w ≥ 0, with a platform
 * factor f_g per gene for capture differences between dissociated cells and tissue sections (the model of RCTD, Cable
 * et al. 2022). f is estimated from all spots together, with a gamma prior. O(rounds · spots · genes · labels).
 */
export async function spotProportions(
  reference: LabelProfiles,
  /** nGenes × nSpots, UMIs as counted. */
  byGene: SparseMatrix,
  signal: AbortSignal,
): Promise<SpotProportions> {
  const chosen = genesOfLabels(reference, byGene);
  const nLabels = reference.labels.length;
  const nSpots = byGene.nCols;
  const width = reference.genes.length;
  // nGenes × nLabels, so that the labels of a gene are contiguous.
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

  const bulk = fitWeights(profile, nLabels, totals, {
    rounds: ROUNDS.BULK,
    // Every gene may be off by its platform factor, regardless of its counts.
    dispersion: REFERENCES.PLATFORM_SPREAD ** 2,
  });
  const scaled = withFactors(profile, nLabels, totals, timesPrototypes(profile, bulk));
  const weights = new Float64Array(nSpots * nLabels);
  for (let spot = 0; spot < nSpots; spot++) {
    if (spot % BLOCK === 0) await pause(signal);
    const own = fitWeights(scaled, nLabels, denseRow(counted, spot), {
      rounds: ROUNDS.SPOT,
      dispersion: REFERENCES.DISPERSION,
    });
    weights.set(own, spot * nLabels);
  }
  return {
    ...shareIntervals(scaled, nLabels, counted, weights, REFERENCES.DISPERSION),
    nGenes: chosen.length,
  };
}

/** Profiles times each gene's platform factor (posterior mean under a gamma prior around 1). */
function withFactors(
  profile: Float64Array,
  nLabels: number,
  observed: Float64Array,
  predicted: Float64Array,
): Float64Array {
  const prior = 1 / REFERENCES.PLATFORM_SPREAD ** 2;
  return profile.map((value, i) => {
    const g = Math.floor(i / nLabels);
    return (value * (observed[g] + prior)) / (predicted[g] + prior);
  });
}

/** Weights ≥ 0 of the labels in one set of counts of all genes, by `fitRates`, with genes as places. */
function fitWeights(
  profile: Float64Array,
  nLabels: number,
  counts: Float64Array,
  { rounds, dispersion }: { rounds: number; dispersion: number },
): Float64Array {
  const total = counts.reduce((a, b) => a + b, 0);
  if (total === 0) return new Float64Array(nLabels);
  const perLabel = new Float64Array(nLabels);
  for (let i = 0; i < profile.length; i++) perLabel[i % nLabels] += profile[i];
  const weights = perLabel.map((sum) => (sum > 0 ? total / sum / nLabels : 0));
  fitRates(
    {
      exposure: profile,
      places: Uint32Array.from(counts.keys()),
      counts,
      mass: perLabel,
      prior: { counts: new Float64Array(nLabels), exposure: 0 },
      dispersion,
      rounds,
    },
    weights,
  );
  return weights;
}

/**
 * Converts fitted weights to shares, with intervals from the delta method: the weights' covariance is the inverse
 * Fisher information of the weighted counts times the spot's own overdispersion (Pearson's χ² over degrees of freedom,
 * at least 1). `profile`: genes × labels. O(spots · genes · labels²).
 */
function shareIntervals(
  profile: Float64Array,
  nLabels: number,
  counted: SparseMatrix,
  weights: Float64Array,
  dispersion: number,
): Omit<SpotProportions, "nGenes"> {
  const empty = (): Matrix<Float32Array> => ({
    nRows: counted.nRows,
    nCols: nLabels,
    data: new Float32Array(counted.nRows * nLabels),
  });
  const [share, low, high] = [empty(), empty(), empty()];
  const nGenes = profile.length / nLabels;
  const information = new Float64Array(nLabels * nLabels);
  for (let spot = 0; spot < counted.nRows; spot++) {
    const own = weights.subarray(spot * nLabels, (spot + 1) * nLabels);
    const total = own.reduce((sum, weight) => sum + weight, 0);
    if (total === 0) continue;
    const seen = denseRow(counted, spot);
    information.fill(0);
    let chi = 0;
    let freedom = -nLabels;
    for (let g = 0; g < nGenes; g++) {
      const row = profile.subarray(g * nLabels, (g + 1) * nLabels);
      let mean = 0;
      for (let k = 0; k < nLabels; k++) mean += own[k] * row[k];
      if (mean <= 0) continue;
      const variance = mean * (1 + dispersion * mean);
      chi += (seen[g] - mean) ** 2 / variance;
      freedom++;
      for (let k = 0; k < nLabels; k++) {
        for (let l = 0; l < nLabels; l++) {
          information[k * nLabels + l] += (row[k] * row[l]) / variance;
        }
      }
    }
    const covariance = ridgeInverse(information, nLabels, GUARDS.RIDGE);
    const spread = Math.max(1, chi / Math.max(1, freedom));
    const sumOf = Array.from({ length: nLabels }, (_, k) => {
      let sum = 0;
      for (let l = 0; l < nLabels; l++) sum += covariance[k * nLabels + l];
      return sum;
    });
    const whole = sumOf.reduce((sum, value) => sum + value, 0);
    for (let k = 0; k < nLabels; k++) {
      const at = spot * nLabels + k;
      const value = own[k] / total;
      const variance =
        (spread * (covariance[k * nLabels + k] - 2 * value * sumOf[k] + value * value * whole)) /
        (total * total);
      const half = REFERENCES.ERRORS * Math.sqrt(Math.max(0, variance));
      share.data[at] = value;
      low.data[at] = Math.max(0, value - half);
      high.data[at] = Math.min(1, value + half);
    }
  }
  return { share, low, high };
}
