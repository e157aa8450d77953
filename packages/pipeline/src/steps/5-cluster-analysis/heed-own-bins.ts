import { rowSums, transpose } from "../../numerics/sparse.ts";
import type { SpotEvidence } from "../../types/anchored-types.ts";
import { countsOfBins, fitRates } from "./own-bin-rates.ts";

/** Variance of a gene's rate among the cells of a type, relative to its squared mean. */
const DISPERSION = 0.5;
/** A type's share of the cells grows at most by this factor. Otherwise a rare type absorbs cells with few counts. */
const MOST_GROWTH = 2;
/** Rounds, and step size in log odds per unit of excess, that bring a type's share down to this limit (about). */
const [GROWTH_ROUNDS, GROWTH_STEP] = [10, 3];
/** By how much the limit may be exceeded. */
const TOLERANCE = 0.02;
/** Lower limit of a prior: counts can overrule looks. */
const LEAST_PRIOR = 1e-6;
const CELLS_PER_PAUSE = 4096;

/**
 * Updates types by the counts of each cell's own bins. The fit predicts types only from looks and surroundings, because
 * a spot contains many cells; a bin contains few. Rates of the types are fitted to all bins, given the posteriors. A
 * cell's count of a gene (its expected part of its bins' counts) is negative binomial around what the bins captured of
 * the cell times the type's rate, because cells of a type vary.
 *
 * Multiplies `posterior` (nCells × nTypes) by the likelihood in place. O(counts · cells in a bin · types).
 */
export async function heedOwnBins(
  posterior: Float32Array,
  nTypes: number,
  genes: readonly number[],
  spots: SpotEvidence,
  pause?: () => Promise<void>,
): Promise<void> {
  const bins = countsOfBins(spots, genes);
  const cells = transpose(bins.captured);
  await pause?.();
  const { rates, expected } = fitRates(bins, posterior, nTypes);
  const most = rowSums(cells).reduce((a, b) => Math.max(a, b), 0);
  const ofAbsence = openAbsence(rates, nTypes, most);
  const logLikelihood = new Float64Array(posterior.length);
  const ownCount = new Float64Array(genes.length);
  const counted: number[] = [];
  for (let cell = 0; cell < cells.nRows; cell++) {
    if (cell % CELLS_PER_PAUSE === 0) await pause?.();
    const own = posterior.subarray(cell * nTypes, (cell + 1) * nTypes);
    const evidence = logLikelihood.subarray(cell * nTypes, (cell + 1) * nTypes);
    let extent = 0;
    counted.length = 0;
    for (let i = cells.indptr[cell]; i < cells.indptr[cell + 1]; i++) {
      const [bin, captured] = [cells.indices[i], cells.data[i]];
      extent += captured;
      for (let j = bins.counts.indptr[bin]; j < bins.counts.indptr[bin + 1]; j++) {
        const gene = bins.counts.indices[j];
        let rate = 0;
        for (let t = 0; t < nTypes; t++) rate += own[t] * rates[gene * nTypes + t];
        if (ownCount[gene] === 0) counted.push(gene);
        ownCount[gene] += (bins.counts.data[j] * captured * rate) / expected[j];
      }
    }
    if (extent === 0) continue;
    ofAbsence(extent, evidence);
    for (const gene of counted) {
      for (let t = 0; t < nTypes; t++) {
        const mean = extent * rates[gene * nTypes + t];
        evidence[t] += ownCount[gene] * Math.log(mean / (1 + DISPERSION * mean));
      }
      ownCount[gene] = 0;
    }
  }
  update(posterior, logLikelihood, nTypes);
}

/**
 * Posterior ∝ w · posterior · likelihood, in place; `logOdds` holds the log-likelihoods and is changed, too. The weights w
 * of the types (not of none, which is last) are 1, unless a type would grow too much.
 */
function update(posterior: Float32Array, logOdds: Float64Array, nTypes: number): void {
  // At least one cell, so that no share is zero.
  const before = massOf(posterior, nTypes).map((mass) => Math.max(1, mass));
  posterior.forEach((p, i) => (logOdds[i] += Math.log(Math.max(LEAST_PRIOR, p))));
  const logWeight = new Float64Array(nTypes);
  for (let round = 0; round < GROWTH_ROUNDS; round++) {
    for (let at = 0; at < posterior.length; at += nTypes) {
      let most = -Infinity;
      for (let t = 0; t < nTypes; t++) most = Math.max(most, logWeight[t] + logOdds[at + t]);
      let sum = 0;
      for (let t = 0; t < nTypes; t++) {
        sum += posterior[at + t] = Math.exp(logWeight[t] + logOdds[at + t] - most);
      }
      for (let t = 0; t < nTypes; t++) posterior[at + t] /= sum;
    }
    const growth = massOf(posterior, nTypes).map((mass, t) => mass / before[t] / MOST_GROWTH);
    const tooMuch = [...growth.keys()].slice(0, -1).filter((t) => growth[t] > 1 + TOLERANCE);
    if (tooMuch.length === 0) break;
    for (const t of tooMuch) logWeight[t] -= GROWTH_STEP * Math.log(growth[t]);
  }
}

function massOf(posterior: Float32Array, nTypes: number): Float64Array {
  const mass = new Float64Array(nTypes);
  for (let i = 0; i < posterior.length; i++) mass[i % nTypes] += posterior[i];
  return mass;
}

/** Steps of a table between 0 and the largest extent, closer at small ones. */
const STEPS = 64;

/**
 * Log-likelihood of no count at all, for every type: −Σ log(1 + φ · extent · rate)/φ over all genes. Interpolated, because
 * summing over hundreds of genes in every cell would take longest.
 */
function openAbsence(
  rates: Float64Array,
  nTypes: number,
  most: number,
): (extent: number, into: Float64Array) => void {
  const table = new Float64Array((STEPS + 1) * nTypes);
  for (let step = 0; step <= STEPS; step++) {
    const extent = most * (step / STEPS) ** 2;
    for (let i = 0; i < rates.length; i++) {
      table[step * nTypes + (i % nTypes)] -=
        Math.log1p(DISPERSION * extent * rates[i]) / DISPERSION;
    }
  }
  return (extent, into) => {
    const place = STEPS * Math.sqrt(extent / most);
    const step = Math.min(STEPS - 1, Math.floor(place));
    const [low, high] = [most * (step / STEPS) ** 2, most * ((step + 1) / STEPS) ** 2];
    const share = (extent - low) / (high - low);
    for (let t = 0; t < nTypes; t++) {
      into[t] = (1 - share) * table[step * nTypes + t] + share * table[(step + 1) * nTypes + t];
    }
  };
}
