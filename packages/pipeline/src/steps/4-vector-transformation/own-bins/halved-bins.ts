import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { ownBins } from "../../../model/own-bins.ts";
import { updatedByBins } from "../../../model/rate-kernel.ts";
import type { NearestSpots } from "../../../model/nearest-spots.ts";
import { Random } from "@stipple/numerics/random";
import { chooseColumns, chooseRows, columnSums } from "@stipple/numerics/sparse";
import type { ExpressionFit } from "../fit-expression.ts";
import { GRIDS } from "../../../model/limits.ts";

/** Bins and the cells that they capture. */
export interface BinnedTissue {
  /** A, nBins × nCells. */
  overlap: SparseMatrix;
  /** nGenes × nBins. */
  byGene: SparseMatrix;
  /** The bins from which each cell's rates are computed. */
  near: NearestSpots;
}

/** One gene with its counts split in halves; each UMI is assigned to one at random. */
export interface HalvedGene {
  /** The first half, indexed by position among the bins that are read: the judged ones first. */
  evidence: Float32Array;
  /** The second half in the judged bins. */
  rest: Float32Array;
}

/** Rates from one half of the counts, evaluated against the other half in some bins. */
export interface HalvedBins {
  /** Position of each bin among those that are read; −1 = not read. */
  placeOf: Int32Array;
  /** The result is in memory that the next call reuses. */
  gene(gene: number): HalvedGene;
  /** Expected second-half counts in the judged bins, using rates from the first half (last one read) and a shape. */
  predict(gene: HalvedGene, number: number, shape: number): Float32Array;
  /** Poisson log-likelihood of the second half for each of GRIDS.SHAPES; null if it has fewer than `fewest` UMIs. */
  logLikelihood(number: number, fewest: number): Float64Array | null;
}

/**
 * Opens split halves of the counts. Halves of a Poisson count are independent, so predicting one half from the other
 * tests the rates on counts that they were not computed from. The model itself has seen both halves.
 * Counts are split the same way every time a gene is read. `bins`: those that are judged, each once. O(their cells · k) per
 * gene.
 */
export function halveBins(
  tissue: BinnedTissue,
  fit: ModelOfBins,
  bins: readonly number[],
  /** `also`: additional bins whose first halves are needed. */
  { seed, also = [] }: { seed: number; also?: Iterable<number> },
): HalvedBins {
  const part = partToRead(tissue, bins, also);
  const { halfCapture, placeOf } = part;
  const { gene, forEachPlace } = openGenes(part, bins.length, seed);
  const { rate, fillRatesAndRatios, fillPosterior } = openRates(part, tissue.near, fit);
  const exposed = columnSums(halfCapture);

  function expected(bin: number): number {
    let sum = 0;
    for (let e = halfCapture.indptr[bin]; e < halfCapture.indptr[bin + 1]; e++) {
      sum += halfCapture.data[e] * rate[halfCapture.indices[e]];
    }
    return sum;
  }

  return {
    placeOf,
    gene,
    predict(given, number, shape) {
      fillRatesAndRatios(given, number);
      fillPosterior(shape);
      return Float32Array.from(bins, (_, bin) => expected(bin));
    },
    logLikelihood(number, fewest) {
      const given = gene(number);
      const counted: number[] = [];
      let umis = 0;
      forEachPlace(number, (place) => {
        if (place >= bins.length || given.rest[place] === 0) return;
        if (halfCapture.indptr[place] === halfCapture.indptr[place + 1]) return;
        counted.push(place);
        umis += given.rest[place];
      });
      if (umis < fewest) return null;
      // In the order of the judged bins, so that sums do not depend on their positions.
      counted.sort((a, b) => a - b);
      fillRatesAndRatios(given, number);
      return Float64Array.from(GRIDS.SHAPES, (shape) => {
        fillPosterior(shape);
        let sum = 0;
        for (let c = 0; c < rate.length; c++) sum -= exposed[c] * rate[c];
        for (const bin of counted) sum += given.rest[bin] * Math.log(expected(bin) + 1e-12);
        return sum;
      });
    },
  };
}

/** Parts of the model that are needed; `exposure` is that of the bins. */
export type ModelOfBins = Pick<ExpressionFit, "membership" | "profile" | "exposure" | "k">;

/** The part of the slide that is read. */
interface ReadPart {
  /** Cells that the judged bins capture. */
  cells: number[];
  /** Half of each judged bin's capture of each of these cells. */
  halfCapture: SparseMatrix;
  /** The judged bins, which come first, and those that rates are computed from. */
  read: number[];
  placeOf: Int32Array;
  /** nGenes × bins that are read. */
  counts: SparseMatrix;
}

function partToRead(
  { overlap, byGene, near }: BinnedTissue,
  bins: readonly number[],
  also: Iterable<number>,
): ReadPart {
  const whole = chooseRows(overlap, bins);
  const cells = [...new Set(whole.indices)];
  const capture = chooseColumns(whole, cells);
  const placeOf = new Int32Array(byGene.nCols).fill(-1);
  const read: number[] = [];
  const use = (bin: number): void => {
    if (bin >= 0 && placeOf[bin] < 0) placeOf[bin] = read.push(bin) - 1;
  };
  for (const bin of bins) use(bin);
  for (const bin of also) use(bin);
  for (const cell of cells) {
    for (let n = cell * near.width; n < (cell + 1) * near.width; n++) use(near.spot[n]);
  }
  return {
    cells,
    halfCapture: { ...capture, data: capture.data.map((share) => share / 2) },
    read,
    placeOf,
    // Only a small part of the slide is needed, and it is read gene by gene.
    counts: chooseColumns(byGene, read),
  };
}

/** Opens the halves of genes' counts. */
function openGenes(
  { counts, read }: ReadPart,
  nJudged: number,
  seed: number,
): {
  gene: HalvedBins["gene"];
  /** Calls back with the position of every bin that contains the gene. */
  forEachPlace(number: number, call: (place: number, count: number) => void): void;
} {
  const evidence = new Float32Array(read.length);
  const rest = new Float32Array(nJudged);
  /** The gene for which the halves are currently filled. */
  let halved = -1;

  function forEachPlace(number: number, call: (place: number, count: number) => void): void {
    if (number < 0) return;
    const end = counts.indptr[number + 1];
    for (let e = counts.indptr[number]; e < end; e++) call(counts.indices[e], counts.data[e]);
  }

  function gene(number: number): HalvedGene {
    forEachPlace(halved, (place) => {
      evidence[place] = 0;
      if (place < nJudged) rest[place] = 0;
    });
    halved = number;
    const random = new Random(seed + 7919 * (number + 1));
    forEachPlace(number, (place, count) => {
      for (let i = 0; i < count; i++) if (random.uniform() < 0.5) evidence[place]++;
      if (place < nJudged) rest[place] = count - evidence[place];
    });
    return { evidence, rest };
  }
  return { gene, forEachPlace };
}

/** Opens the cells' rates of one gene at a time. */
function openRates(
  { cells, read, placeOf, counts }: ReadPart,
  { spot, weight, width }: NearestSpots,
  { membership, profile, exposure, k }: ModelOfBins,
): {
  /** Filled for each of the cells by the last call. */
  rate: Float64Array;
  fillRatesAndRatios(given: HalvedGene, number: number): void;
  fillPosterior(shape: number): void;
} {
  const nGenes = counts.nRows;
  const b = new Float64Array(k);
  /** M of the cells, contiguous for each prototype. */
  const members = Array.from({ length: k }, (_, j) =>
    Float32Array.from(cells, (cell) => membership[cell * k + j]),
  );
  const around = ownBins({
    exposure: rowsOf(exposure, k, read),
    nearSpot: rowsOf(
      spot.map((bin) => (bin >= 0 ? placeOf[bin] : bin)),
      width,
      cells,
    ),
    nearWeight: rowsOf(weight, width, cells),
  });
  const rates = new Float64Array(cells.length);
  const rate = new Float64Array(cells.length);
  /** Around each cell: first-half counts over half of those that the model expects. */
  let ratios: ArrayLike<number> = rates;
  return {
    rate,
    fillRatesAndRatios({ evidence }, number) {
      for (let j = 0; j < k; j++) b[j] = profile[j * nGenes + number];
      const indices = counts.indices.subarray(counts.indptr[number], counts.indptr[number + 1]);
      ratios = around.ratios({ indices, data: Array.from(indices, (bin) => 2 * evidence[bin]) }, b);
      rates.fill(0);
      for (let j = 0; j < k; j++) {
        const [own, value] = [members[j], b[j]];
        if (value > 0) for (let c = 0; c < rates.length; c++) rates[c] += own[c] * value;
      }
    },
    /** At half the exposure, the model has twice its weight relative to the bins. */
    fillPosterior(shape) {
      for (let c = 0; c < rate.length; c++) {
        rate[c] = updatedByBins(rates[c], 2 * shape, ratios[c]);
      }
    },
  };
}

/** Some rows of a dense matrix. */
function rowsOf<T extends Int32Array | Float32Array>(
  matrix: T,
  nCols: number,
  rows: readonly number[],
): Matrix<T> {
  const data = matrix.slice(0, rows.length * nCols) as T;
  rows.forEach((row, i) => data.set(matrix.subarray(row * nCols, (row + 1) * nCols), i * nCols));
  return { nRows: rows.length, nCols, data };
}
