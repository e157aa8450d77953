import { pickRows } from "@stipple/numerics/dense";
import { pearson } from "@stipple/numerics/pearson";
import { Random } from "@stipple/numerics/random";
import type { FitOptions, Part, PartWeights, TissueData } from "./fit-expression.ts";
import { denseCounts } from "./dense-profiles.ts";
import { fitSideBySide } from "./fit-side-by-side.ts";
import { informativeGenes } from "./informative-genes.ts";
import { blocksOf, mostSpots, restrict, spotsWithCells } from "./part-of-tissue.ts";
import { medianTotal, predictShares } from "./spot-prediction.ts";
import { ENOUGH, PARTS } from "../../model/constants.ts";
import { ROUNDS, SAMPLES } from "../../model/limits.ts";
import { spotTotals } from "../../model/spot-totals.ts";

/** Fraction of the progress bar for the fits. */
const OF_FITS = 0.8;
const NO_PART: PartWeights = { learned: 0, looks: 0, place: 0 };

export interface PartsChoice {
  weights: PartWeights;
  /** Whether looks predict better than shuffled ones; null if it could not be tested. */
  helps: boolean | null;
  /** Whether counts are not shared by cells: bins, which resolve cells on their own, or rows that are whole spots. */
  bins: boolean;
  /** Mean correlation of the informative genes over held-out spots; NaN if not tested. */
  correlation: number;
  /** That correlation with looks shuffled among neighboring cells. */
  shuffled: number;
}

/**
 * Chooses the weights of the model's parts on held-out spots: every fourth spot is left out while its neighbors stay,
 * and the weights are those whose mixture best predicts the composition of the held-out spots (stacking, Wolpert 1992).
 * In the control, looks are shuffled between cells within squares of two pitches, which keeps information on location
 * but not on single cells: looks help if the mixture with them predicts better.
 * Cost is bounded: 2 million entries, about 15,000 cells, 2–8 fits.
 */
export async function chooseParts(
  tissue: TissueData,
  candidates: readonly number[],
  options: FitOptions,
): Promise<PartsChoice> {
  const bins = !tissue.unevenSpots;
  const untried = {
    helps: null,
    bins,
    correlation: NaN,
    shuffled: NaN,
  };
  if (tissue.features.nCols === 0) {
    return { weights: { learned: 0, looks: 0, place: 1 }, ...untried };
  }
  const filled = spotsWithCells(tissue.overlap);
  if (filled.length < ENOUGH.SPOTS || candidates.length === 0) {
    return { weights: { learned: 0.5, looks: 0.5, place: 0 }, ...untried };
  }
  const chosen = filled.slice(0, mostSpots(tissue));
  const everyCandidate = restrict(tissue, chosen, candidates);
  const { genes } = informativeGenes(everyCandidate.byGene, SAMPLES.PART_GENES);
  if (genes.length < 2) return { weights: { learned: 0.5, looks: 0.5, place: 0 }, ...untried };
  const part = restrict(
    tissue,
    chosen,
    genes.map((g) => candidates[g]),
  );
  const { shares, tested } = await predictInTurn(part, options);
  const counts = denseCounts(part.byGene, 0, part.byGene.nRows);
  const real = stack(counts, shares.slice(0, 3));
  await told(OF_FITS + 0.1);
  const sham = stack(counts, [shares[3], shares[4], shares[2]]);
  await told(OF_FITS + 0.15);
  const target = medianTotal(part.byGene);
  const totals = spotTotals(part.byGene);
  const observed = counts.map((count, i) =>
    count > 0 ? Math.log1p((count * target) / totals[i % totals.length]) : 0,
  );
  const correlation = meanCorrelation(real.mixture, observed, tested, target);
  const shuffled = meanCorrelation(sham.mixture, observed, tested, target);
  const helps = correlation > shuffled + PARTS.MIN_GAIN;
  // With bins, components are read at the cell itself, so the learned part sees the cell's own counts.
  const [learned, looks, place] = bins ? [1, 0, 0] : real.weights;
  return { weights: { learned, looks, place }, helps, bins, correlation, shuffled };

  async function told(fraction: number): Promise<void> {
    options.progress?.(fraction);
    await options.pause?.();
  }
}

/**
 * Predicts the composition of held-out spots (genes × spots) by each part alone: learned, looks, and place, then learned
 * and looks with shuffled looks. With few spots, each is held out once.
 */
async function predictInTurn(
  part: TissueData,
  options: FitOptions,
): Promise<{ shares: Float32Array[]; tested: Uint8Array }> {
  const nSpots = part.overlap.nRows;
  const control = shuffleLooks(part, options.seed);
  const order = new Random(options.seed).order(nSpots);
  const rounds = nSpots < PARTS.FEW_SPOTS ? 4 : 1;
  const tested = new Uint8Array(nSpots);
  const sources = [
    [part, "learned"],
    [part, "looks"],
    [part, "place"],
    [control, "learned"],
    [control, "looks"],
  ] as const satisfies readonly (readonly [TissueData, Part])[];
  const shares = sources.map(() => new Float32Array(part.byGene.nRows * nSpots));
  const orders = Array.from({ length: rounds }, (_, round) => {
    const use = new Uint8Array(nSpots).fill(1);
    for (let i = round; i < nSpots; i += 4) {
      use[order[i]] = 0;
      tested[order[i]] = 1;
    }
    return sources.map(([source, name]) => ({
      tissue: source === part ? 0 : 1,
      weights: { ...NO_PART, [name]: 1 },
      use,
    }));
  }).flat();
  const fits = await fitSideBySide([part, control], orders, {
    ...options,
    fits: 1,
    progress: (fraction) => options.progress?.(OF_FITS * fraction),
  });
  for (const [i, fit] of fits.entries()) {
    predictShares(part.overlap, fit, orders[i].use, shares[i % sources.length]);
    options.progress?.(OF_FITS + (0.05 * (i + 1)) / fits.length);
    await options.pause?.();
  }
  return { shares, tested };
}

/** The tissue with looks permuted among the cells in each square of two pitches. */
function shuffleLooks(tissue: TissueData, seed: number): TissueData {
  const { cellsXy, features, looks, pitchPx } = tissue;
  const all = [...Array(cellsXy.nRows).keys()];
  const order = new Array<number>(cellsXy.nRows);
  const random = new Random(seed);
  for (const cells of blocksOf({ spotsXy: cellsXy }, all, PARTS.SHUFFLE_PITCHES * pitchPx)) {
    const other = cells.slice();
    random.shuffle(other);
    cells.forEach((c, i) => (order[c] = other[i]));
  }
  return {
    ...tissue,
    features: { data: pickRows(features.data, features.nCols, order), nCols: features.nCols },
    looks: looks.map(({ data, k }) => ({ data: pickRows(data, k, order), k })),
  };
}

/**
 * Finds the mixture weights of predicted compositions (genes × spots each) that maximize the multinomial likelihood of
 * the tested spots, by expectation–maximization. Also returns the mixture.
 */
function stack(
  counts: Float32Array,
  shares: readonly Float32Array[],
): { weights: number[]; mixture: Float32Array } {
  let weights = shares.map(() => 1 / shares.length);
  // Only nonzero counts enter the rounds; with bins, they are a small fraction.
  let nCounted = 0;
  for (let n = 0; n < counts.length; n++) if (counts[n] > 0) nCounted++;
  const counted = new Float32Array(nCounted);
  const countedShares = shares.map(() => new Float32Array(nCounted));
  for (let n = 0, e = 0; n < counts.length; n++) {
    if (!(counts[n] > 0)) continue;
    shares.forEach((share, i) => (countedShares[i][e] = share[n]));
    counted[e++] = counts[n];
  }
  const countedMixture = new Float32Array(nCounted);
  for (let round = 0; round < ROUNDS.STACKING; round++) {
    mix(countedShares, weights, countedMixture);
    const gain = countedShares.map((share) => {
      let sum = 0;
      for (let e = 0; e < nCounted; e++) {
        if (countedMixture[e] > 0) sum += (counted[e] * share[e]) / countedMixture[e];
      }
      return sum;
    });
    const next = weights.map((weight, i) => weight * gain[i]);
    const total = next.reduce((a, b) => a + b, 0);
    if (!(total > 0)) break;
    const moved = Math.max(...next.map((value, i) => Math.abs(value / total - weights[i])));
    weights = next.map((value) => value / total);
    if (moved < 1e-4) break;
  }
  const mixture = new Float32Array(counts.length);
  mix(shares, weights, mixture);
  return { weights, mixture };
}

function mix(
  shares: readonly Float32Array[],
  weights: readonly number[],
  mixture: Float32Array,
): void {
  mixture.fill(0);
  for (const [i, share] of shares.entries()) {
    const weight = weights[i];
    for (let n = 0; n < mixture.length; n++) mixture[n] += weight * share[n];
  }
}

/** Correlation of log1p counts at equal depth over the tested spots, averaged over genes. */
function meanCorrelation(
  shares: Float32Array,
  observed: Float32Array,
  tested: Uint8Array,
  target: number,
): number {
  const nSpots = tested.length;
  const nGenes = observed.length / nSpots;
  let sum = 0;
  for (let g = 0; g < nGenes; g++) {
    const of = (values: Float32Array): Float32Array =>
      values.subarray(g * nSpots, (g + 1) * nSpots).filter((_, s) => tested[s] === 1);
    sum +=
      pearson(
        of(shares).map((share) => Math.log1p(share * target)),
        of(observed),
      ) || 0;
  }
  return sum / nGenes;
}
