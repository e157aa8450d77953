import { RATE_SOURCES, type RateSource } from "@stipple/contract";
import { log1pOf } from "@stipple/numerics/log1p";
import { transpose } from "@stipple/numerics/sparse";
import { Random } from "@stipple/numerics/random";
import type { FitOptions, PartWeights, TissueData } from "./fit-expression.ts";
import { fitSideBySide } from "./fit-side-by-side.ts";
import { chooseSource } from "./choose-source.ts";
import { HeldoutMoments, jackknifeVariance } from "./heldout-moments.ts";
import { geneExcess, varyingGenes } from "./informative-genes.ts";
import { heldoutNeighbors, spotSources } from "./heldout-neighbors.ts";
import { blocksOf, mostSpots, restrict, spotsWithCells } from "./part-of-tissue.ts";
import { medianTotal, moveShares, predictShares } from "./spot-prediction.ts";
import { FEATURES, PARTS } from "../../model/constants.ts";

/** Blocks are made smaller until there are this many, so that a small tissue has folds. */
const minBlocks = 2 * PARTS.FOLDS;
/** Series index of the model's own prediction, after those of the sources. */
const UNMOVED = RATE_SOURCES.length;
/** Fractions of the progress bar for fits, and for each of predicting and moving. */
const OF_FITS = 0.5;
const OF_PREDICTIONS = 0.1;

export interface Reliability {
  /**
   * nGenes: correlation of the model's own prediction, not adjusted by the surrounding spots, with held-out counts; NaN
   * if not computed.
   */
  ofModel: Float32Array;
  /** nGenes: the same for the final rates, whatever their source (see choose-source.ts). */
  ofRates: Float32Array;
  /** Source of the rates of all genes. */
  source: RateSource;
  /** nGenes: 1 for judged genes that vary between spots; only these show how well a sample is predicted. */
  varying: Uint8Array;
  /** Variance of such a correlation on Fisher's z scale, from leaving out one block at a time; mean over genes. */
  noise: number;
  /** Median correlation of each source over the varying genes; null if nothing was held out. */
  medians: Record<RateSource, number> | null;
  nSpots: number;
  folds: number;
  blockUm: number;
}

type HeldoutOptions = FitOptions & {
  blockPx: number;
  micronsPerPixel: number;
  /** Resolves when this thread is free for the work after the fits. */
  turn?: Promise<void>;
};

/**
 * Predicts each gene in spots that the model has not seen, holding out whole blocks of tissue, and correlates
 * prediction with observation over all held-out spots, as log1p of counts scaled to the median total so that depth does
 * not matter. Spot components are interpolated from the remaining spots only. `candidates` are the genes to judge.
 * Cost is bounded: whole blocks up to 2 million entries, 5 fits.
 */
export async function heldoutCorrelation(
  tissue: TissueData,
  candidates: readonly number[],
  weights: PartWeights,
  options: HeldoutOptions,
): Promise<Reliability> {
  const held = holdOut(tissue, candidates, options);
  const blank = (): Float32Array => new Float32Array(tissue.byGene.nRows).fill(NaN);
  const [ofModel, ofRates] = [blank(), blank()];
  const varying = new Uint8Array(tissue.byGene.nRows);
  const { folds } = held;
  const blockUm = held.blockPx * options.micronsPerPixel;
  if (folds < 2 || candidates.length === 0) {
    // There is no evidence that the model beats the spots themselves.
    const unknown = { ofModel, ofRates: ofModel, varying, noise: 0, medians: null };
    return { ...unknown, source: "interpolation", nSpots: 0, folds: 0, blockUm };
  }
  const part = restrict(tissue, held.spots, candidates);
  const predictions = await predictHeldOut(part, held, weights, options);
  const moments = await momentsOf(part, held, predictions, options);
  const voters = varyingGenes(
    candidates,
    tissue.excess ?? geneExcess(tissue.byGene, tissue.dispersion),
  );
  for (const gene of voters) varying[gene] = 1;
  const placeOf = new Map(candidates.map((gene, i) => [gene, i]));
  const { source, medians } = chooseSource(
    moments,
    voters.map((gene) => placeOf.get(gene)!),
  );
  const chosen = RATE_SOURCES.indexOf(source);
  let noise = 0;
  candidates.forEach((gene, i) => {
    ofModel[gene] = moments.correlation(i, UNMOVED);
    const without = moments.fisherWithoutEach(i, UNMOVED);
    noise += jackknifeVariance(without) / candidates.length;
    ofRates[gene] = moments.correlation(i, chosen) || 0;
  });
  const nSpots = held.spots.length;
  return { ofModel, ofRates, source, varying, medians, noise, nSpots, folds, blockUm };
}

/** Spots that are held out, block by block. */
interface HeldSpots {
  spots: number[];
  /** Fold of each of them. */
  foldOf: number[];
  folds: number;
  /** Where each block begins among the spots. */
  starts: number[];
  /** Side of the blocks. */
  blockPx: number;
}

/** Divides the tissue into blocks, smaller ones if there are few, and these at random into folds. */
function holdOut(
  tissue: TissueData,
  candidates: readonly number[],
  { seed, blockPx }: Pick<HeldoutOptions, "seed" | "blockPx">,
): HeldSpots {
  const filled = spotsWithCells(tissue.overlap);
  let blocks = blocksOf(tissue, filled, blockPx);
  while (
    blocks.length < minBlocks &&
    blockPx > 1.25 * tissue.pitchPx &&
    filled.length >= minBlocks
  ) {
    blockPx /= 2;
    blocks = blocksOf(tissue, filled, blockPx);
  }
  const held: HeldSpots = {
    spots: [],
    foldOf: [],
    folds: Math.min(PARTS.FOLDS, blocks.length),
    starts: [],
    blockPx,
  };
  if (held.folds < 2 || candidates.length === 0) return held;
  const order = new Random(seed).order(blocks.length);
  const limit = mostSpots(tissue);
  order.forEach((block, i) => {
    if (i >= held.folds && held.spots.length + blocks[block].length > limit) return;
    held.starts.push(held.spots.length);
    for (const s of blocks[block]) {
      held.spots.push(s);
      held.foldOf.push(i % held.folds);
    }
  });
  return held;
}

/** Shares of genes in the held-out spots, genes × spots: the model's own, and moved as rates are. */
interface HeldoutShares {
  predicted: Float32Array;
  moved: Float32Array;
}

async function predictHeldOut(
  part: TissueData,
  { foldOf, folds }: HeldSpots,
  weights: PartWeights,
  options: HeldoutOptions,
): Promise<HeldoutShares> {
  const orders = Array.from({ length: folds }, (_, fold) => ({
    tissue: 0,
    weights,
    use: Uint8Array.from(foldOf, (f) => (f === fold ? 0 : 1)),
  }));
  const fits = await fitSideBySide([part], orders, {
    ...options,
    fits: 1,
    progress: (fraction) => options.progress?.(OF_FITS * fraction),
  });
  await options.turn;
  const told = async (from: number, fold: number): Promise<void> => {
    options.progress?.(from + (OF_PREDICTIONS * (fold + 1)) / folds);
    await options.pause?.();
  };
  const predicted = new Float32Array(part.byGene.nRows * foldOf.length);
  for (const [fold, fit] of fits.entries()) {
    predictShares(part.overlap, fit, orders[fold].use, predicted);
    await told(OF_FITS, fold);
  }
  const moved = predicted.slice();
  const bySpot = transpose(part.byGene);
  const near = heldoutNeighbors(part, foldOf, folds, { width: FEATURES.NEAR_SPOTS, always: false });
  for (const [fold, fit] of fits.entries()) {
    moveShares(bySpot, fit, near, orders[fold].use, moved);
    await told(OF_FITS + OF_PREDICTIONS, fold);
  }
  return { predicted, moved };
}

/** Moments of each source's prediction, and of the model's own, with the observed counts of every gene. */
async function momentsOf(
  part: TissueData,
  { foldOf, folds, starts }: HeldSpots,
  { predicted, moved }: HeldoutShares,
  options: Pick<FitOptions, "progress" | "pause">,
): Promise<HeldoutMoments> {
  const [nGenes, nSpots] = [part.byGene.nRows, foldOf.length];
  const target = medianTotal(part.byGene);
  const logOf = (shares: Float32Array, i: number): Float32Array => {
    const logs = new Float32Array(nSpots);
    for (let s = 0, at = i * nSpots; s < nSpots; s++, at++) logs[s] = log1pOf(shares[at] * target);
    return logs;
  };
  const fromSpots = spotSources(part, target, foldOf, folds);
  const moments = new HeldoutMoments(nGenes, RATE_SOURCES.length + 1, { starts, nSpots });
  for (let i = 0; i < nGenes; i++) {
    if (i % 64 === 0) {
      const before = OF_FITS + 2 * OF_PREDICTIONS;
      options.progress?.(before + (1 - before) * (i / nGenes));
      await options.pause?.();
    }
    const { observed, ...others } = fromSpots(i);
    const series = { ...others, model: logOf(moved, i) };
    moments.add(i, [...RATE_SOURCES.map((name) => series[name]), logOf(predicted, i)], observed);
  }
  return moments;
}
