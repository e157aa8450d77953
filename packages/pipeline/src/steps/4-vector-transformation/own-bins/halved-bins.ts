import type { SparseMatrix } from "../../../fields.ts";
import { posteriorMean } from "../../../model/rate-kernel.ts";
import type { NearestSpots } from "../../../model/nearest-spots.ts";
import { Random } from "../../../numerics/random.ts";
import { transpose } from "../../../numerics/sparse.ts";
import type { ExpressionFit } from "../fit-expression.ts";
import { SHAPES } from "./prior-shapes.ts";

/** What is known of bins and of the cells that they capture. */
export interface BinnedTissue {
  /** A, nBins × nCells. */
  overlap: SparseMatrix;
  /** nGenes × nBins. */
  byGene: SparseMatrix;
  /** The bins of every cell, as its rates are computed from them. */
  near: NearestSpots;
}

/** One gene, its counts split in halves: each UMI in one of them, by chance. */
export interface HalvedGene {
  /** The first half, by bin of the sample. */
  evidence: Float32Array;
  /** The second half in the judged bins. */
  rest: Float32Array;
}

/** Rates from one half of the counts, judged by the other half in some bins. */
export interface HalvedBins {
  gene(gene: number): HalvedGene;
  /** What the second half is expected to count in the judged bins when rates come from the first, with a shape. */
  predict(gene: HalvedGene, number: number, shape: number): Float32Array;
  /** Log-likelihood of the second half (Poisson) for each of SHAPES; null where it holds fewer than `fewest` UMIs. */
  logLikelihood(number: number, fewest: number): Float64Array | null;
}

/**
 * Opens halves of the counts. Halves of a Poisson count are independent, so what one half predicts of the other is what
 * the rates tell beyond the counts that they were made from. The model itself has seen both.
 * Counts are split the same way whenever a gene is read. O(cells of the judged bins · k) a gene.
 */
export function halveBins(
  tissue: BinnedTissue,
  fit: Pick<ExpressionFit, "membership" | "profile" | "exposure" | "k">,
  bins: readonly number[],
  seed: number,
): HalvedBins {
  const { overlap, byGene, near } = tissue;
  const { membership, profile, exposure, k } = fit;
  const nGenes = byGene.nRows;
  const nBins = byGene.nCols;
  const judgedAt = new Int32Array(nBins).fill(-1);
  bins.forEach((bin, i) => (judgedAt[bin] = i));
  const cellAt = new Int32Array(overlap.nCols).fill(-1);
  const cells: number[] = [];
  for (const bin of bins) {
    for (let e = overlap.indptr[bin]; e < overlap.indptr[bin + 1]; e++) {
      const cell = overlap.indices[e];
      if (cellAt[cell] < 0) cellAt[cell] = cells.push(cell) - 1;
    }
  }
  /** Half of what each judged bin captures of each of the cells. */
  const halfCapture = captureOf(overlap, bins, cellAt, cells.length);
  const ofCell = transpose(halfCapture);
  const exposed = Float64Array.from(cells, (_, c) => {
    let sum = 0;
    for (let e = ofCell.indptr[c]; e < ofCell.indptr[c + 1]; e++) sum += ofCell.data[e];
    return sum;
  });
  const { width } = near;
  /** Bins whose counts are evidence of some of the cells. */
  const used = new Uint8Array(nBins);
  for (const cell of cells) {
    for (let n = cell * width; n < (cell + 1) * width; n++) {
      if (near.spot[n] >= 0) used[near.spot[n]] = 1;
    }
  }
  const ratio = new Float32Array(nBins);
  const b = new Float64Array(k);

  function gene(number: number): HalvedGene {
    const random = new Random(seed + 7919 * (number + 1));
    const evidence = new Float32Array(nBins);
    const rest = new Float32Array(bins.length);
    for (let e = byGene.indptr[number]; e < byGene.indptr[number + 1]; e++) {
      const bin = byGene.indices[e];
      let first = 0;
      for (let i = 0; i < byGene.data[e]; i++) if (random.uniform() < 0.5) first++;
      evidence[bin] = first;
      if (judgedAt[bin] >= 0) rest[judgedAt[bin]] = byGene.data[e] - first;
    }
    return { evidence, rest };
  }

  /** λ of the cells, and the first half's counts around each over what half of the model expects. */
  function ratesAndRatios({ evidence }: HalvedGene, number: number): [Float64Array, Float64Array] {
    for (let j = 0; j < k; j++) b[j] = profile[j * nGenes + number];
    for (let bin = 0; bin < nBins; bin++) {
      ratio[bin] = 0;
      if (evidence[bin] === 0 || used[bin] === 0) continue;
      let mean = 0;
      for (let j = 0; j < k; j++) mean += exposure[bin * k + j] * b[j];
      if (mean > 0) ratio[bin] = (2 * evidence[bin]) / mean;
    }
    const rates = new Float64Array(cells.length);
    const ratios = new Float64Array(cells.length);
    cells.forEach((cell, c) => {
      let rate = 0;
      for (let j = 0; j < k; j++) rate += membership[cell * k + j] * b[j];
      let around = 0;
      for (let n = cell * width; n < (cell + 1) * width; n++) {
        if (near.spot[n] >= 0) around += near.weight[n] * ratio[near.spot[n]];
      }
      rates[c] = rate;
      ratios[c] = around;
    });
    return [rates, ratios];
  }

  // At half the exposure the posterior is that of the whole exposure with twice the shape.
  const posterior = (rates: Float64Array, ratios: Float64Array, shape: number): Float64Array =>
    rates.map((rate, c) => (rate > 0 ? posteriorMean(rate, 2 * shape, ratios[c]) : 0));

  function expected(rate: Float64Array, bin: number): number {
    let sum = 0;
    for (let e = halfCapture.indptr[bin]; e < halfCapture.indptr[bin + 1]; e++) {
      sum += halfCapture.data[e] * rate[halfCapture.indices[e]];
    }
    return sum;
  }

  return {
    gene,
    predict(given, number, shape) {
      const rate = posterior(...ratesAndRatios(given, number), shape);
      return Float32Array.from(bins, (_, bin) => expected(rate, bin));
    },
    logLikelihood(number, fewest) {
      const given = gene(number);
      const counted = Array.from(given.rest.keys()).filter(
        (bin) => given.rest[bin] > 0 && halfCapture.indptr[bin] < halfCapture.indptr[bin + 1],
      );
      if (counted.reduce((sum, bin) => sum + given.rest[bin], 0) < fewest) return null;
      const [rates, ratios] = ratesAndRatios(given, number);
      return Float64Array.from(SHAPES, (shape) => {
        const rate = posterior(rates, ratios, shape);
        let sum = 0;
        for (let c = 0; c < rate.length; c++) sum -= exposed[c] * rate[c];
        for (const bin of counted) sum += given.rest[bin] * Math.log(expected(rate, bin) + 1e-12);
        return sum;
      });
    },
  };
}

function captureOf(
  overlap: SparseMatrix,
  bins: readonly number[],
  cellAt: Int32Array,
  nCells: number,
): SparseMatrix {
  const indptr = new Uint32Array(bins.length + 1);
  bins.forEach((bin, i) => {
    indptr[i + 1] = indptr[i] + overlap.indptr[bin + 1] - overlap.indptr[bin];
  });
  const indices = new Uint32Array(indptr[bins.length]);
  const data = new Float32Array(indices.length);
  bins.forEach((bin, i) => {
    for (let e = overlap.indptr[bin], to = indptr[i]; e < overlap.indptr[bin + 1]; e++, to++) {
      indices[to] = cellAt[overlap.indices[e]];
      data[to] = overlap.data[e] / 2;
    }
  });
  return { nRows: bins.length, nCols: nCells, indptr, indices, data };
}
