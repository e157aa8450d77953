import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { interpolate, nearestSpots, type NearestSpots } from "../../../model/nearest-spots.ts";
import { pearson } from "@stipple/numerics/pearson";
import { median } from "@stipple/numerics/quantile";
import { Random } from "@stipple/numerics/random";
import { bySource } from "../choose-source.ts";
import type { TissueData } from "../fit-expression.ts";
import { prototypeTotals, timesPrototypes } from "../../../model/prototype-sums.ts";
import { spotTotals } from "../../../model/spot-totals.ts";
import { halveBins, type BinnedTissue, type HalvedBins, type ModelOfBins } from "./halved-bins.ts";
import { ENOUGH, FEATURES, RATES } from "../../../model/constants.ts";
import { GRIDS, ROUNDS, SAMPLES } from "../../../model/limits.ts";

const { SHAPES } = GRIDS;
/** Log distance between neighboring shapes. */
const STEP = Math.log(SHAPES[1] / SHAPES[0]);
/** Fraction of the progress bar for learning shapes. */
const OF_SHAPES = 0.6;

/** Bins that are the evidence for single cells, and their positions. */
export type OwnBins = BinnedTissue & Pick<TissueData, "spotsXy" | "pitchPx">;

export interface LearnedFromHalves {
  /** nGenes: weight of the model relative to the cell's own bins. */
  shape: Float32Array<ArrayBuffer>;
  /** Source of the rates of all genes. */
  source: RateSource;
  /** Median correlation of each source with the other half; null if nothing could be judged. */
  medians: Record<RateSource, number> | null;
  nBins: number;
}

/**
 * Learns for each gene how much weight a cell's own bins get relative to the model: rates are computed from one half of
 * the counts, and the prior's shape is chosen by its likelihood on the other half. The same halves show whether such
 * rates predict bins better than the surrounding bins alone. Both use blocks of tissue with about 2,000 cells.
 */
export async function learnFromHalves(
  tissue: OwnBins,
  fit: ModelOfBins,
  options: {
    /** nGenes: 1 for genes that vary between bins, which are used to compare sources. */
    varying: Uint8Array;
    seed: number;
    blocks: number[][];
    pause: () => Promise<void>;
    progress?: (fraction: number) => void;
  },
): Promise<LearnedFromHalves> {
  const { seed, blocks, progress } = options;
  const pause = (fraction: number): Promise<void> => {
    progress?.(fraction);
    return options.pause();
  };
  const { byGene, overlap } = tissue;
  const bins = someBlocks(blocks, (SAMPLES.BIN_CELLS * blocks.flat().length) / overlap.nCols, seed);
  const around = neighborsOf(tissue, bins);
  const halves = halveBins(tissue, fit, bins, { seed, also: around.spot });
  const judged: number[] = [];
  const likelihoods: Float64Array[] = [];
  for (let gene = 0; gene < byGene.nRows; gene++) {
    if (gene % 32 === 0) await pause((OF_SHAPES * gene) / byGene.nRows);
    const likelihood = halves.logLikelihood(gene, ENOUGH.COUNTS / 2);
    if (!likelihood) continue;
    judged.push(gene);
    likelihoods.push(likelihood);
  }
  const { shape: ofJudged, ofOthers } = shapesOf(likelihoods);
  const shape = new Float32Array(byGene.nRows).fill(ofOthers);
  judged.forEach((gene, i) => (shape[gene] = ofJudged[i]));
  if (judged.length === 0) return { shape, source: "model", medians: null, nBins: 0 };
  const varying = judged.filter((gene) => options.varying[gene] === 1);
  const genes = varying.length > 0 ? varying : judged;
  const sample = { halves, bins, around, genes, shape };
  const medians = await compareSources(tissue, fit, sample, (fraction) =>
    pause(OF_SHAPES + (1 - OF_SHAPES) * fraction),
  );
  const source = RATE_SOURCES.reduce((a, b) => (medians[b] > medians[a] ? b : a));
  return { shape, source, medians, nBins: bins.length };
}

/** Bins of blocks drawn at random until there are enough. */
function someBlocks(blocks: number[][], enough: number, seed: number): number[] {
  const order = new Random(seed).order(blocks.length);
  const bins: number[] = [];
  for (const block of order) {
    if (bins.length >= enough) break;
    for (const bin of blocks[block]) bins.push(bin);
  }
  return bins;
}

/** The bins to interpolate from at each of some bins, including itself. */
function neighborsOf({ spotsXy, pitchPx }: OwnBins, bins: readonly number[]): NearestSpots {
  const points = {
    nRows: bins.length,
    data: bins.flatMap((bin) => [spotsXy.data[2 * bin], spotsXy.data[2 * bin + 1]]),
  };
  const options = {
    lengthPx: FEATURES.NEAR_PITCHES * pitchPx,
    width: FEATURES.NEAR_SPOTS,
    always: true,
  };
  return nearestSpots(points, spotsXy, options);
}

/** Median correlation over genes of each source's prediction from one half with the other half (log1p, equal depth). */
async function compareSources(
  tissue: OwnBins,
  { exposure, profile, k }: ModelOfBins,
  sample: {
    halves: HalvedBins;
    bins: number[];
    around: NearestSpots;
    genes: number[];
    shape: Float32Array;
  },
  pause: (fraction: number) => Promise<void>,
): Promise<Record<RateSource, number>> {
  const { halves, bins, around, genes, shape } = sample;
  const half = spotTotals(tissue.byGene).map((total) => total / 2);
  const own = Float64Array.from(bins, (bin) => half[bin]);
  const expected = timesPrototypes(exposure, prototypeTotals(profile, k));
  const modeled = Float64Array.from(bins, (bin) => expected[bin] / 2);
  const totals = interpolate(around, half, 1);
  const near = {
    ...around,
    spot: around.spot.map((bin) => (bin >= 0 ? halves.placeOf[bin] : bin)),
  };
  const depth = Float64Array.from(own).sort()[own.length >> 1] || 1;
  const logs = (counts: ArrayLike<number>, totals: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(counts.length);
    for (let i = 0; i < out.length; i++) {
      if (totals[i] > 0) out[i] = Math.log1p((counts[i] * depth) / totals[i]);
    }
    return out;
  };
  const correlations = bySource((): number[] => []);
  const step = Math.max(1, Math.ceil(genes.length / SAMPLES.BIN_GENES));
  for (let i = 0; i < genes.length; i += step) {
    await pause(i / genes.length);
    const gene = halves.gene(genes[i]);
    const rest = logs(gene.rest, own);
    const given = {
      model: logs(halves.predict(gene, genes[i], shape[genes[i]]), modeled),
      interpolation: logs(interpolate(near, gene.evidence, 1), totals),
      spot: logs(gene.evidence.subarray(0, bins.length), own),
    };
    for (const name of RATE_SOURCES) correlations[name].push(pearson(given[name], rest) || 0);
  }
  return bySource((name) => median(correlations[name]));
}

/**
 * Estimates shapes of genes from the log-likelihoods of SHAPES, one array per gene. The frequency of each shape is
 * fitted to all genes by expectation–maximization (nonparametric empirical Bayes, Laird 1978); a gene's shape is the
 * lower bound (2 %) of its posterior. Genes with few counts thus borrow from the others, and when in doubt, the bins
 * take precedence. O(genes · shapes · rounds).
 */
export function shapesOf(logLikelihood: readonly Float64Array[]): {
  /** Frequency of each of SHAPES among genes. */
  share: Float64Array;
  /** One for each judged gene, in order. */
  shape: Float32Array;
  /** Shape for genes without information. */
  ofOthers: number;
} {
  const n = SHAPES.length;
  const likelihood = logLikelihood.map((values) => {
    const most = Math.max(...values);
    return values.map((value) => Math.exp(value - most));
  });
  const posterior = new Float64Array(n);
  let share = new Float64Array(n).fill(1 / n);
  const weigh = (gene: Float64Array): void => {
    let total = 0;
    for (let i = 0; i < n; i++) total += posterior[i] = share[i] * gene[i];
    for (let i = 0; i < n; i++) posterior[i] /= total;
  };
  for (let round = 0; round < ROUNDS.TOTALS && likelihood.length > 0; round++) {
    const next = new Float64Array(n);
    for (const gene of likelihood) {
      weigh(gene);
      for (let i = 0; i < n; i++) next[i] += posterior[i] / likelihood.length;
    }
    share = next;
  }
  const shape = Float32Array.from(likelihood, (gene) => {
    weigh(gene);
    return quantileOf(posterior);
  });
  return { share, shape, ofOthers: quantileOf(share) };
}

/** Treats each shape's weight as spread evenly around it on the log scale. */
function quantileOf(weights: Float64Array): number {
  let below = 0;
  for (let i = 0; i < weights.length; i++) {
    if (below + weights[i] >= RATES.QUANTILE) {
      return Math.exp(Math.log(SHAPES[i]) + ((RATES.QUANTILE - below) / weights[i] - 0.5) * STEP);
    }
    below += weights[i];
  }
  return SHAPES[SHAPES.length - 1];
}
