import type { SparseMatrix } from "../../fields.ts";
import { chooseRows, multiplyDense, transpose } from "../../numerics/sparse.ts";
import type { SpotEvidence } from "../../types/anchored-types.ts";

/** Share of what a bin captures that no detected cell explains; has the sample's mean rates. */
const BACKGROUND = 0.02;
/** Rounds of expectation–maximization for the rates. */
const ROUNDS = 15;
/** Rates are fitted to about this many bins at most, evenly spaced: more hardly change them. */
const MOST_BINS = 100_000;
/** Weight of the mean rate as a prior, in captured cells. */
const PRIOR_CELLS = 2;
/** Bins that capture less than this, in cells, contain no cell. */
const LEAST_CAPTURED = 1e-6;

/** Counts of bins for some genes, and the cells that each bin captures. */
export interface BinCounts {
  /** diag(e)A, nBins × nCells. */
  captured: SparseMatrix;
  /** nBins × nGenes. */
  counts: SparseMatrix;
  /** Mean rate of each gene in a captured cell. */
  mean: Float64Array;
}

export interface TypeRates {
  /** nGenes × nTypes. */
  rates: Float64Array;
  /** Expected value of each stored count, in the order of `counts.data`. */
  expected: Float32Array;
}

/** O(all counts of the genes + entries of the overlap). */
export function countsOfBins(
  { overlap, efficiency, byGene }: SpotEvidence,
  genes: readonly number[],
): BinCounts {
  const counts = transpose(chooseRows(byGene, genes));
  const data = overlap.data.slice();
  const mean = new Float64Array(genes.length);
  let captured = 0;
  for (let s = 0; s < overlap.nRows; s++) {
    const [from, to] = [overlap.indptr[s], overlap.indptr[s + 1]];
    for (let i = from; i < to; i++) captured += data[i] *= efficiency[s];
    if (from === to) continue;
    for (let i = counts.indptr[s]; i < counts.indptr[s + 1]; i++) {
      mean[counts.indices[i]] += counts.data[i];
    }
  }
  for (let g = 0; g < mean.length; g++) mean[g] /= Math.max(LEAST_CAPTURED, captured);
  return { captured: { ...overlap, data }, counts, mean };
}

/**
 * Rates of types for fixed posteriors (nCells × nTypes): y_sg ~ Poisson(Σ_t E_st B_gt + 0.02 · E_s · mean_g), E = diag(e)Aq,
 * with a gamma prior of two cells around the mean. O(rounds · counts · types).
 */
export function fitRates(bins: BinCounts, posterior: Float32Array, nTypes: number): TypeRates {
  const { captured, counts, mean } = bins;
  const exposure = multiplyDense(captured, posterior, nTypes);
  const stride = Math.ceil(counts.nRows / MOST_BINS);
  const mass = new Float64Array(nTypes);
  const extent = new Float64Array(captured.nRows);
  for (let s = 0, i = 0; s < captured.nRows; s++) {
    for (let t = 0; t < nTypes; t++, i++) {
      if (s % stride === 0) mass[t] += exposure[i];
      extent[s] += exposure[i];
    }
  }
  const rates = Float64Array.from(
    { length: mean.length * nTypes },
    (_, i) => mean[Math.floor(i / nTypes)],
  );
  const expect = (s: number, gene: number): number => {
    let sum = BACKGROUND * extent[s] * mean[gene];
    for (let t = 0; t < nTypes; t++) sum += exposure[s * nTypes + t] * rates[gene * nTypes + t];
    return sum;
  };
  const gain = new Float64Array(rates.length);
  for (let round = 0; round < ROUNDS; round++) {
    gain.fill(0);
    for (let s = 0; s < counts.nRows; s += stride) {
      if (extent[s] < LEAST_CAPTURED) continue;
      for (let i = counts.indptr[s]; i < counts.indptr[s + 1]; i++) {
        const gene = counts.indices[i];
        const pull = counts.data[i] / expect(s, gene);
        for (let t = 0; t < nTypes; t++) {
          gain[gene * nTypes + t] += pull * exposure[s * nTypes + t];
        }
      }
    }
    for (let i = 0; i < rates.length; i++) {
      const [gene, t] = [Math.floor(i / nTypes), i % nTypes];
      rates[i] = (rates[i] * gain[i] + PRIOR_CELLS * mean[gene]) / (mass[t] + PRIOR_CELLS);
    }
  }
  const expected = new Float32Array(counts.data.length);
  for (let s = 0; s < counts.nRows; s++) {
    for (let i = counts.indptr[s]; i < counts.indptr[s + 1]; i++) {
      expected[i] = expect(s, counts.indices[i]);
    }
  }
  return { rates, expected };
}
