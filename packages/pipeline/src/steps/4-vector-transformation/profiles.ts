import type { SparseMatrix } from "../../fields.ts";

/** Weight of the gene's own mean, in captured cells: what a prototype that no spot shows falls back to. */
const PRIOR_CELLS = 1;
const MOST_SWEEPS = 60;

/** Spots' exposure to the prototypes, E = diag(e)AM (nSpots × k), with what non-negative least squares needs of it. */
export interface Exposure {
  data: Float32Array;
  k: number;
  /** Σ_k E_sk: cells' worth of RNA that each spot captures. */
  captured: Float64Array;
  /** E_sk / captured_s. */
  share: Float32Array;
  /** Σ_s E_sk. */
  totals: Float64Array;
  /** Eᵀ diag(1/captured) E + prior, k × k. */
  gram: Float64Array;
}

/** Prepares an exposure matrix. O(nSpots · k²). */
export function exposureOf(data: Float32Array, k: number): Exposure {
  const nSpots = data.length / k;
  const captured = new Float64Array(nSpots);
  const share = new Float32Array(data.length);
  const totals = new Float64Array(k);
  const gram = new Float64Array(k * k);
  for (let s = 0; s < nSpots; s++) {
    for (let j = 0; j < k; j++) {
      captured[s] += data[s * k + j];
      totals[j] += data[s * k + j];
    }
    if (!(captured[s] > 0)) continue;
    for (let j = 0; j < k; j++) share[s * k + j] = data[s * k + j] / captured[s];
    for (let j = 0; j < k; j++) {
      for (let l = 0; l < k; l++) gram[j * k + l] += share[s * k + j] * data[s * k + l];
    }
  }
  for (let j = 0; j < k; j++) gram[j * k + j] += PRIOR_CELLS;
  return { data, k, captured, share, totals, gram };
}

/** Fits one gene at a time: the scratch space of a fit. */
export interface ProfileFit {
  /** Rates of the gene in the k prototypes after the last call. */
  b: Float64Array;
  /** Mean rate of the gene in a captured cell. */
  mean: number;
}

/**
 * Non-negative least squares of one gene's counts on the exposure, rows weighted by 1/captured (so by the inverse of
 * their Poisson variance) and shrunk to the gene's mean: coordinate descent on the k × k normal equations, which all
 * genes share. One pass over the gene's entries: O(entries · k + sweeps · k²).
 */
export function leastSquaresProfile(
  exposure: Exposure,
  byGene: SparseMatrix,
  gene: number,
  fit: ProfileFit,
): void {
  const { k, share, gram, captured, totals } = exposure;
  const { b } = fit;
  const gradient = new Float64Array(k);
  let sum = 0;
  for (let n = byGene.indptr[gene]; n < byGene.indptr[gene + 1]; n++) {
    const s = byGene.indices[n];
    if (!(captured[s] > 0)) continue;
    const y = byGene.data[n];
    sum += y;
    for (let j = 0; j < k; j++) gradient[j] -= y * share[s * k + j];
  }
  let everything = 0;
  for (let j = 0; j < k; j++) everything += totals[j];
  const mean = everything > 0 ? sum / everything : 0;
  fit.mean = mean;
  b.fill(mean);
  if (mean === 0) return;
  for (let j = 0; j < k; j++) {
    gradient[j] -= PRIOR_CELLS * mean;
    for (let l = 0; l < k; l++) gradient[j] += gram[j * k + l] * mean;
  }
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let largest = 0;
    for (let j = 0; j < k; j++) {
      const moved = Math.max(0, b[j] - gradient[j] / gram[j * k + j]) - b[j];
      if (moved === 0) continue;
      b[j] += moved;
      for (let l = 0; l < k; l++) gradient[l] += moved * gram[l * k + j];
      largest = Math.max(largest, Math.abs(moved));
    }
    if (largest < 1e-3 * mean) break;
  }
}

/**
 * Profiles B (k × nGenes) of the prototypes from spots: Y_sg ~ Poisson(Σ_k E_sk B_kg), E fixed. Each gene starts at its
 * non-negative least-squares solution and is polished by multiplicative expectation–maximisation (Richardson 1972,
 * Lucy 1974) with a gamma prior of one cell around the gene's mean. Started there, 5 rounds do as well as 50 from a flat
 * start. EB is evaluated only where Y > 0: O(rounds · entries · k).
 */
export async function fitProfiles(
  exposure: Exposure,
  byGene: SparseMatrix,
  rounds: number,
  pause?: (gene: number) => Promise<void>,
): Promise<Float32Array<ArrayBuffer>> {
  const { k, data, totals } = exposure;
  const nGenes = byGene.nRows;
  const profile = new Float32Array(k * nGenes);
  const fit: ProfileFit = { b: new Float64Array(k), mean: 0 };
  const gain = new Float64Array(k);
  for (let g = 0; g < nGenes; g++) {
    if (g % 256 === 0) await pause?.(g);
    leastSquaresProfile(exposure, byGene, g, fit);
    if (fit.mean === 0) continue;
    const { b, mean } = fit;
    // Expectation–maximisation cannot leave zero.
    for (let j = 0; j < k; j++) b[j] = Math.max(b[j], 1e-3 * mean);
    for (let round = 0; round < rounds; round++) {
      gain.fill(0);
      for (let n = byGene.indptr[g]; n < byGene.indptr[g + 1]; n++) {
        const at = byGene.indices[n] * k;
        let expected = 0;
        for (let j = 0; j < k; j++) expected += data[at + j] * b[j];
        if (!(expected > 0)) continue;
        const ratio = byGene.data[n] / expected;
        for (let j = 0; j < k; j++) gain[j] += ratio * data[at + j];
      }
      for (let j = 0; j < k; j++) {
        b[j] = (b[j] * gain[j] + PRIOR_CELLS * mean) / (totals[j] + PRIOR_CELLS);
      }
    }
    for (let j = 0; j < k; j++) profile[j * nGenes + g] = b[j];
  }
  return profile;
}
