import { pearson } from "../../numerics/pearson.ts";
import { Random } from "../../numerics/random.ts";
import {
  fitExpression,
  type FitOptions,
  type PartWeights,
  type TissueData,
} from "./fit-expression.ts";
import { interpolate, nearestSpots } from "./nearest-spots.ts";
import { mostSpots, restrict, spotsWithCells } from "./part-of-tissue.ts";
import { medianTotal, normalisedCounts, predictShares } from "./spot-prediction.ts";

const FOLDS = 5;
/** Blocks are halved until there are this many, so that a small tissue has folds too. */
const LEAST_BLOCKS = 10;

export interface Reliability {
  /** nGenes: correlation of predicted and observed over held-out spots; NaN where it was not computed. */
  correlation: Float32Array;
  /** Median over the same genes of what plain interpolation between the remaining spots reaches. */
  interpolation: number;
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
  options: FitOptions & { blockPx: number; micronsPerPixel: number },
): Promise<Reliability> {
  const { seed, progress, micronsPerPixel } = options;
  const filled = spotsWithCells(tissue.overlap);
  const correlation = new Float32Array(tissue.byGene.nRows).fill(NaN);
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
    return { correlation, interpolation: NaN, nSpots: 0, folds: 0, blockUm };
  }
  const order = Uint32Array.from(blocks, (_, i) => i);
  new Random(seed).shuffle(order);
  const limit = mostSpots(tissue);
  const chosen: number[] = [];
  const foldOf: number[] = [];
  order.forEach((block, i) => {
    if (i >= folds && chosen.length + blocks[block].length > limit) return;
    for (const s of blocks[block]) {
      chosen.push(s);
      foldOf.push(i % folds);
    }
  });
  const part = restrict(tissue, chosen, candidates);
  const nSpots = chosen.length;
  const target = medianTotal(part.byGene);
  const observed = normalisedCounts(part.byGene, target);
  const predicted = new Float32Array(observed.length);
  const smooth = new Float32Array(observed.length);
  for (let fold = 0; fold < folds; fold++) {
    const use = Uint8Array.from(foldOf, (f) => (f === fold ? 0 : 1));
    const fit = await fitExpression(part, weights, {
      ...options,
      fits: 1,
      use,
      progress: (fraction) => progress?.((fold + fraction) / folds),
    });
    predictShares(part.overlap, fit, use, predicted);
    interpolateSpots(part, observed, use, smooth);
  }
  const baseline: number[] = [];
  candidates.forEach((gene, i) => {
    const truth = observed.subarray(i * nSpots, (i + 1) * nSpots);
    const of = (values: Float32Array): Float32Array =>
      values.subarray(i * nSpots, (i + 1) * nSpots);
    correlation[gene] = pearson(
      of(predicted).map((share) => Math.log1p(share * target)),
      truth,
    );
    baseline.push(pearson(of(smooth), truth) || 0);
  });
  const interpolation = baseline.sort((a, b) => a - b)[baseline.length >> 1];
  return { correlation, interpolation, nSpots, folds, blockUm };
}

/** The control: log counts of the spots in use, interpolated at the others. */
function interpolateSpots(
  { spotsXy, pitchPx }: TissueData,
  observed: Float32Array,
  use: Uint8Array,
  smooth: Float32Array,
): void {
  const nSpots = use.length;
  const near = nearestSpots(spotsXy, spotsXy, {
    lengthPx: 0.8 * pitchPx,
    width: 7,
    use,
    always: true,
  });
  for (let at = 0; at < observed.length; at += nSpots) {
    const values = interpolate(near, observed.subarray(at, at + nSpots), 1);
    for (let s = 0; s < nSpots; s++) if (!use[s]) smooth[at + s] = values[s];
  }
}

/** Spots by square block of the given side, in order of position. */
function blocksOf(tissue: TissueData, spots: readonly number[], sidePx: number): number[][] {
  const blocks = new Map<string, number[]>();
  for (const s of spots) {
    const x = Math.floor(tissue.spotsXy.data[2 * s] / sidePx);
    const y = Math.floor(tissue.spotsXy.data[2 * s + 1] / sidePx);
    const key = `${x},${y}`;
    const block = blocks.get(key);
    if (block) block.push(s);
    else blocks.set(key, [s]);
  }
  return [...blocks.values()];
}
