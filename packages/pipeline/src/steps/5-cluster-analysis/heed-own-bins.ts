import { transpose } from "../../numerics/sparse.ts";
import type { SpotEvidence } from "./anchored-types.ts";
import { countsOfBins, fitRates } from "./own-bin-rates.ts";

/** Variance of a gene's rate among the cells of a type, relative to its squared mean. */
const DISPERSION = 0.5;
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
  const ofAbsence = openAbsence(rates, nTypes, mostCaptured(cells));
  const evidence = new Float64Array(nTypes);
  const ownCount = new Float64Array(genes.length);
  const counted: number[] = [];
  for (let cell = 0; cell < cells.nRows; cell++) {
    if (cell % CELLS_PER_PAUSE === 0) await pause?.();
    const own = posterior.subarray(cell * nTypes, (cell + 1) * nTypes);
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
    update(own, evidence);
  }
}

/** Posterior ∝ posterior · exp(evidence) of one cell. Changes both. */
function update(own: Float32Array, evidence: Float64Array): void {
  let most = -Infinity;
  for (let t = 0; t < own.length; t++) {
    evidence[t] += Math.log(Math.max(LEAST_PRIOR, own[t]));
    most = Math.max(most, evidence[t]);
  }
  let sum = 0;
  for (let t = 0; t < own.length; t++) sum += own[t] = Math.exp(evidence[t] - most);
  for (let t = 0; t < own.length; t++) own[t] /= sum;
}

function mostCaptured({ nRows, indptr, data }: ReturnType<typeof transpose>): number {
  let most = 0;
  for (let cell = 0; cell < nRows; cell++) {
    let sum = 0;
    for (let i = indptr[cell]; i < indptr[cell + 1]; i++) sum += data[i];
    most = Math.max(most, sum);
  }
  return most;
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
