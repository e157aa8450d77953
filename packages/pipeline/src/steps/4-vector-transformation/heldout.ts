import { RATE_SOURCES } from "@stipple/contract";
import { pearson } from "../../numerics/pearson.ts";
import { transpose } from "../../numerics/sparse.ts";
import { Random } from "../../numerics/random.ts";
import type { FitOptions, PartWeights, TissueData } from "./fit-expression.ts";
import { fitSideBySide, type FitThreads } from "./fit-side-by-side.ts";
import { chooseSource, type SourceChoice } from "./choose-source.ts";
import { heldoutNeighbors, NEAR_SPOTS, spotSources } from "./heldout-neighbors.ts";
import { blocksOf, mostSpots, restrict, spotsWithCells } from "./part-of-tissue.ts";
import { medianTotal, moveShares, predictShares } from "./spot-prediction.ts";

const INTERPOLATION = RATE_SOURCES.indexOf("interpolation");
const FOLDS = 5;
/** Blocks are halved until there are this many, so that a small tissue has folds too. */
const LEAST_BLOCKS = 10;

export interface Reliability {
  /**
   * nGenes: correlation of the model's own prediction, not moved by the spots around, with the counts of held-out spots;
   * NaN where it was not computed.
   */
  ofModel: Float32Array;
  /** nGenes: the same of the rates as they are given, whatever their source (see choose-source.ts). */
  ofRates: Float32Array;
  /** nGenes: index into RATE_SOURCES. */
  source: Uint8Array;
  /** Variance of such a correlation on Fisher's scale, from leaving out one block at a time; mean over genes. */
  noise: number;
  /** How the sources were chosen, and the median over the judged genes of what each reaches; null where none were held out. */
  sources: Pick<SourceChoice, "medians" | "rule"> | null;
  nSpots: number;
  folds: number;
  blockUm: number;
}

/**
 * Predicts each gene in spots that the model has not seen, whole blocks of tissue at a time, and correlates prediction
 * and observation over all held-out spots: log1p of counts brought to the median total, so that depth plays no part.
 * Spot components are interpolated from the remaining spots only. `candidates` are the genes worth the effort.
 * Cost is bounded: whole blocks up to 2 million entries, 5 fits.
 */
export async function heldoutCorrelation(
  tissue: TissueData,
  candidates: readonly number[],
  weights: PartWeights,
  options: FitOptions & {
    blockPx: number;
    micronsPerPixel: number;
    others?: FitThreads | undefined;
  },
): Promise<Reliability> {
  const { seed, micronsPerPixel } = options;
  const filled = spotsWithCells(tissue.overlap);
  const ofModel = new Float32Array(tissue.byGene.nRows).fill(NaN);
  let { blockPx } = options;
  let blocks = blocksOf(tissue, filled, blockPx);
  while (
    blocks.length < LEAST_BLOCKS &&
    blockPx > 1.25 * tissue.pitchPx &&
    filled.length >= LEAST_BLOCKS
  ) {
    blockPx /= 2;
    blocks = blocksOf(tissue, filled, blockPx);
  }
  const blockUm = blockPx * micronsPerPixel;
  const folds = Math.min(FOLDS, blocks.length);
  if (folds < 2 || candidates.length === 0) {
    // The model has not shown that it does better than the spots themselves.
    const source = new Uint8Array(tissue.byGene.nRows).fill(INTERPOLATION);
    const unknown = { ofModel, ofRates: ofModel, noise: 0, sources: null };
    return { ...unknown, source, nSpots: 0, folds: 0, blockUm };
  }
  const order = Uint32Array.from(blocks, (_, i) => i);
  new Random(seed).shuffle(order);
  const limit = mostSpots(tissue);
  const chosen: number[] = [];
  const foldOf: number[] = [];
  const blockStarts: number[] = [];
  const blockFold: number[] = [];
  order.forEach((block, i) => {
    if (i >= folds && chosen.length + blocks[block].length > limit) return;
    blockStarts.push(chosen.length);
    blockFold.push(i % folds);
    for (const s of blocks[block]) {
      chosen.push(s);
      foldOf.push(i % folds);
    }
  });
  const part = restrict(tissue, chosen, candidates);
  const nSpots = chosen.length;
  const target = medianTotal(part.byGene);
  const bySpot = transpose(part.byGene);
  const near = heldoutNeighbors(part, foldOf, folds, { width: NEAR_SPOTS, always: false });
  const predicted = new Float32Array(candidates.length * nSpots);
  const orders = Array.from({ length: folds }, (_, fold) => ({
    tissue: 0,
    weights,
    use: Uint8Array.from(foldOf, (f) => (f === fold ? 0 : 1)),
  }));
  const fits = await fitSideBySide([part], orders, { ...options, fits: 1 });
  for (const [fold, fit] of fits.entries()) {
    predictShares(part.overlap, fit, orders[fold].use, predicted);
    await options.pause?.();
  }
  const moved = predicted.slice();
  for (const [fold, fit] of fits.entries()) {
    moveShares(bySpot, fit, near, orders[fold].use, moved);
    await options.pause?.();
  }
  const logOf = (shares: Float32Array, i: number): Float32Array =>
    shares.subarray(i * nSpots, (i + 1) * nSpots).map((share) => Math.log1p(share * target));
  const fromSpots = spotSources(part, target, foldOf, folds);
  const judged = chooseSource({
    nGenes: candidates.length,
    nSpots,
    gene: (i) => ({ ...fromSpots(i), model: logOf(moved, i) }),
    blockStarts,
    blockFold,
    folds,
  });
  const ofRates = new Float32Array(tissue.byGene.nRows).fill(NaN);
  const source = new Uint8Array(tissue.byGene.nRows).fill(judged.ofOthers);
  let noise = 0;
  candidates.forEach((gene, i) => {
    const truth = fromSpots(i).observed;
    const guess = logOf(predicted, i);
    ofModel[gene] = pearson(guess, truth);
    noise += blockVariance(guess, truth, blockStarts) / candidates.length;
    ofRates[gene] = judged.correlation[i];
    source[gene] = judged.source[i];
  });
  return {
    ofModel,
    ofRates,
    source,
    sources: judged,
    noise,
    nSpots,
    folds,
    blockUm,
  };
}

/** Jackknife variance of Fisher's transform of a correlation when whole blocks are left out in turn. */
function blockVariance(a: Float32Array, b: Float32Array, starts: readonly number[]): number {
  const sums = starts.map((from, i) => momentsOf(a, b, from, starts[i + 1] ?? a.length));
  const all = sums.reduce((total, part) => total.map((value, i) => value + part[i]));
  const without = sums.map((part) => {
    const [n, sa, sb, aa, bb, ab] = all.map((value, i) => value - part[i]);
    const spread = (aa - (sa * sa) / n) * (bb - (sb * sb) / n);
    const r = spread > 0 ? (ab - (sa * sb) / n) / Math.sqrt(spread) : 0;
    return Math.atanh(Math.max(-0.99, Math.min(0.99, r)));
  });
  const mean = without.reduce((x, y) => x + y, 0) / without.length;
  const squares = without.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return (squares * (without.length - 1)) / without.length;
}

/** n, Σa, Σb, Σa², Σb², Σab over a range. */
function momentsOf(a: Float32Array, b: Float32Array, from: number, to: number): number[] {
  const sums = [to - from, 0, 0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    sums[1] += a[i];
    sums[2] += b[i];
    sums[3] += a[i] * a[i];
    sums[4] += b[i] * b[i];
    sums[5] += a[i] * b[i];
  }
  return sums;
}
