import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Spot counts and positions, in units of the spot pitch. */
export interface CountedSpots {
  counts: SparseMatrix;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
}

/** The distribution of abundance and variation over the genes of a section. */
export interface TranscriptomeFigures {
  nSpots: number;
  nGenes: number;
  umiPerSpot: number;
  /** UMIs of each gene per 10,000 of all UMIs, most abundant first. */
  abundance: Float64Array;
  /** Squared coefficient of variation between spots beyond Poisson noise, for each gene in {@link judged}. */
  dispersion: Float64Array;
  /** The part of it shared by neighboring spots, which changes slowly over the section. */
  shared: Float64Array;
  /** Genes with enough counts to judge. */
  judged: number[];
}

/** Spots closer than this many pitches are neighbors. */
const NEIGHBOR_PITCHES = 1.2;

/**
 * Measures genes with at least `least` UMIs per spot. Depth is corrected for: a spot's mean is the gene's share
 * of all UMIs × the spot's own UMIs. Both measures are unbiased under Poisson noise. O(spots² + genes × spots).
 */
export function transcriptomeFigures(
  { counts, x, y }: CountedSpots,
  least: number,
): TranscriptomeFigures {
  const { nRows, nCols } = counts;
  const ofSpot = new Float64Array(nRows);
  const ofGene = new Float64Array(nCols);
  for (let spot = 0; spot < nRows; spot++) {
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      ofSpot[spot] += counts.data[k];
      ofGene[counts.indices[k]] += counts.data[k];
    }
  }
  const total = ofSpot.reduce((sum, value) => sum + value, 0);
  const judged = Array.from(ofGene.keys()).filter((gene) => ofGene[gene] >= least * nRows);
  const place = new Int32Array(nCols).fill(-1);
  judged.forEach((gene, at) => (place[gene] = at));
  // Relative residuals, spots × judged genes: y − μ; the division by Σμ² comes last.
  const rest = Float64Array.from({ length: nRows * judged.length }, (_, i) => {
    const spot = Math.floor(i / judged.length);
    return (-ofSpot[spot] * ofGene[judged[i % judged.length]]) / total;
  });
  for (let spot = 0; spot < nRows; spot++) {
    for (let k = counts.indptr[spot]; k < counts.indptr[spot + 1]; k++) {
      const at = place[counts.indices[k]];
      if (at >= 0) rest[spot * judged.length + at] += counts.data[k];
    }
  }
  const own = new Float64Array(judged.length);
  const beside = new Float64Array(judged.length);
  let squares = 0;
  let products = 0;
  for (let a = 0; a < nRows; a++) {
    squares += (ofSpot[a] / total) ** 2;
    const near: number[] = [];
    for (let b = a + 1; b < nRows; b++) {
      if (Math.hypot(x[a] - x[b], y[a] - y[b]) < NEIGHBOR_PITCHES) near.push(b);
    }
    for (let gene = 0; gene < judged.length; gene++) {
      const here = rest[a * judged.length + gene];
      own[gene] += here * here;
      for (const b of near) beside[gene] += here * rest[b * judged.length + gene];
    }
    for (const b of near) products += (ofSpot[a] / total) * (ofSpot[b] / total);
  }
  return {
    nSpots: nRows,
    nGenes: nCols,
    umiPerSpot: total / nRows,
    abundance: ofGene
      .map((sum) => (1e4 * sum) / total)
      .sort()
      .reverse(),
    dispersion: own.map((sum, at) => {
      const umi = ofGene[judged[at]];
      return (sum - umi * (1 - squares)) / (umi * umi * squares);
    }),
    shared: beside.map((sum, at) => sum / (ofGene[judged[at]] ** 2 * products)),
    judged,
  };
}
