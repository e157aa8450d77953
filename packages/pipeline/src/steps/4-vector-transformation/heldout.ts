import type { SparseMatrix } from "../../fields.ts";
import { pearson } from "../../numerics/pearson.ts";
import { Random } from "../../numerics/random.ts";
import { multiplyDense, transpose } from "../../numerics/sparse.ts";
import {
  finishFit,
  fitExpression,
  prepareFit,
  type FitOptions,
  type PreparedFit,
  type TissueData,
  type Trust,
} from "./fit-expression.ts";
import { informativeGenes } from "./informative-genes.ts";

/** Entries of the count matrix that the check uses at most; a larger tissue is represented by some of its blocks. */
const MOST_ENTRIES = 2_000_000;
/** And cells. */
const MOST_CELLS = 15_000;
const FOLDS = 5;
/** Blocks are halved until there are this many, so that a small tissue has folds too. */
const LEAST_BLOCKS = 10;

/** Prior precisions tried, from the most to the least trusting; without spots to try on, the second is taken. */
const DECAYS = [0.1, 0.5, 2] as const;
/** Precision for the control, and for a fit without morphology. */
const CAUTIOUS = 0.5;
/** Differences of mean correlation below this are noise (measured: ± 0.006 between seeds). */
const NOISE = 0.01;
/** Below this, every spot takes its turn at being held out. */
const FEW_SPOTS = 300;
/** With fewer spots, of equally good degrees of trust the least trusting is taken, which cannot learn them by heart. */
const ENOUGH_SPOTS = 120;

export interface TrustChoice {
  trust: Trust;
  /** Mean held-out correlation of the informative genes, best of the degrees of trust; NaN when untried. */
  best: number;
  /** The same with the features of the cells shuffled among them: what morphology that says nothing would reach. */
  shuffled: number;
}

/**
 * How far morphology can be trusted: every fourth spot is held out while its neighbours stay. The most trusting fit that
 * predicts the informative genes as well as the best is chosen (the least trusting where spots are few); unless none does better than with the cells' features
 * shuffled, and then the fit does without morphology.
 */
export async function chooseTrust(
  tissue: TissueData,
  candidates: readonly number[],
  options: FitOptions,
): Promise<TrustChoice> {
  const filled = spotsWithCells(tissue.overlap);
  if (tissue.features.nCols === 0) {
    return { trust: { morphology: false, decay: CAUTIOUS }, best: NaN, shuffled: NaN };
  }
  if (filled.length < 12 || candidates.length === 0) {
    return { trust: { morphology: true, decay: DECAYS[1] }, best: NaN, shuffled: NaN };
  }
  const chosen = filled.slice(0, mostSpots(tissue));
  const part = restrict(tissue, chosen, candidates);
  const { genes } = informativeGenes(part.byGene, options.gateGenes);
  const target = medianTotal(part.byGene);
  const observed = normalisedCounts(part.byGene, target);
  const control = { ...part, features: shuffledRows(part.features, options.seed) };
  const order = Uint32Array.from(chosen, (_, i) => i);
  new Random(options.seed).shuffle(order);
  const rounds = chosen.length < FEW_SPOTS ? 4 : 1;
  const scores = DECAYS.map(() => 0);
  let shuffled = 0;
  for (let round = 0; round < rounds; round++) {
    const use = new Uint8Array(chosen.length).fill(1);
    for (let i = round; i < chosen.length; i += 4) use[order[i]] = 0;
    const within = { ...options, use };
    const heldOut = (values: Float32Array, gene: number): Float32Array =>
      values
        .subarray(gene * chosen.length, (gene + 1) * chosen.length)
        .filter((_, s) => use[s] === 0);
    const score = async (prepared: PreparedFit, decay: number): Promise<number> => {
      const predicted = new Float32Array(observed.length);
      const fit = await finishFit(prepared, decay, { ...within, progress: () => undefined });
      predictSpots(part.overlap, fit, use, target, predicted);
      const each = genes.map((g) => pearson(heldOut(predicted, g), heldOut(observed, g)) || 0);
      return mean(each) / rounds;
    };
    const prepared = await prepareFit(part, true, within);
    for (const [i, decay] of DECAYS.entries()) {
      scores[i] += await score(prepared, decay);
      options.progress?.((round + (i + 1) / 4) / rounds);
    }
    shuffled += await score(await prepareFit(control, true, within), CAUTIOUS);
    options.progress?.((round + 1) / rounds);
  }
  const best = Math.max(...scores);
  const equal = DECAYS.filter((_, i) => scores[i] >= best - NOISE);
  const decay = chosen.length >= ENOUGH_SPOTS ? equal[0] : equal[equal.length - 1];
  const trust =
    best > shuffled + NOISE ? { morphology: true, decay } : { morphology: false, decay: CAUTIOUS };
  return { trust, best, shuffled };
}

/** The same rows in another order. */
function shuffledRows(
  features: { data: Float32Array; nCols: number },
  seed: number,
): { data: Float32Array; nCols: number } {
  const { data, nCols } = features;
  const order = Array.from({ length: nCols > 0 ? data.length / nCols : 0 }, (_, c) => c);
  new Random(seed).shuffle(order);
  return { data: pickRows(data, nCols, order), nCols };
}

/** Spots that hold at most {@link MOST_ENTRIES} counts and {@link MOST_CELLS} cells, or thereabouts. */
function mostSpots({ byGene, cellsXy, overlap }: TissueData): number {
  const perSpot = byGene.indices.length / Math.max(1, byGene.nCols);
  const cellsPerSpot = cellsXy.nRows / Math.max(1, spotsWithCells(overlap).length);
  return Math.ceil(Math.min(MOST_ENTRIES / Math.max(1, perSpot), MOST_CELLS / cellsPerSpot));
}

export interface Reliability {
  /** nGenes: correlation of predicted and observed over held-out spots; NaN where it was not computed. */
  correlation: Float32Array;
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
  trust: Trust,
  options: FitOptions & { blockUm: number; micronsPerPixel: number },
): Promise<Reliability> {
  const { seed, progress } = options;
  const filled = spotsWithCells(tissue.overlap);
  const correlation = new Float32Array(tissue.byGene.nRows).fill(NaN);
  let { blockUm } = options;
  let blocks = blocksOf(tissue, filled, blockUm / options.micronsPerPixel);
  while (blocks.length < LEAST_BLOCKS && blockUm > 125 && filled.length >= LEAST_BLOCKS) {
    blockUm /= 2;
    blocks = blocksOf(tissue, filled, blockUm / options.micronsPerPixel);
  }
  const folds = Math.min(FOLDS, blocks.length);
  if (folds < 2 || candidates.length === 0) {
    return { correlation, nSpots: 0, folds: 0, blockUm };
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
  for (let fold = 0; fold < folds; fold++) {
    const use = Uint8Array.from(foldOf, (f) => (f === fold ? 0 : 1));
    const fit = await fitExpression(part, trust, {
      ...options,
      use,
      progress: (fraction) => progress?.((fold + fraction) / folds),
    });
    predictSpots(part.overlap, fit, use, target, predicted);
  }
  candidates.forEach((gene, i) => {
    const from = i * nSpots;
    correlation[gene] = pearson(
      predicted.subarray(from, from + nSpots),
      observed.subarray(from, from + nSpots),
    );
  });
  return { correlation, nSpots, folds, blockUm };
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
}

function spotsWithCells(overlap: SparseMatrix): number[] {
  const spots: number[] = [];
  for (let s = 0; s < overlap.nRows; s++) {
    if (overlap.indptr[s + 1] > overlap.indptr[s]) spots.push(s);
  }
  return spots;
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

/** The tissue reduced to some spots, the cells they reach and some genes. */
function restrict(
  tissue: TissueData,
  spots: readonly number[],
  genes: readonly number[],
): TissueData {
  const { overlap, byGene, features, cellsXy, spotsXy, spotPca } = tissue;
  const cellAt = new Int32Array(overlap.nCols).fill(-1);
  for (const s of spots) {
    for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) cellAt[overlap.indices[k]] = 0;
  }
  const cells: number[] = [];
  for (let c = 0; c < cellAt.length; c++) if (cellAt[c] === 0) cellAt[c] = cells.push(c) - 1;
  const spotAt = new Int32Array(overlap.nRows).fill(-1);
  spots.forEach((s, i) => (spotAt[s] = i));
  return {
    overlap: pick(overlap, spots, cellAt, cells.length),
    // Spots are numbered by block, not in order, so rows are sorted again by transposing twice.
    byGene: transpose(transpose(pick(byGene, genes, spotAt, spots.length))),
    features: { data: pickRows(features.data, features.nCols, cells), nCols: features.nCols },
    cellsXy: { data: pickRows(cellsXy.data, 2, cells), nRows: cells.length },
    spotsXy: {
      data: Float64Array.from(spots.flatMap((s) => [spotsXy.data[2 * s], spotsXy.data[2 * s + 1]])),
      nRows: spots.length,
    },
    spotPca: { data: pickRows(spotPca.data, spotPca.nCols, spots), nCols: spotPca.nCols },
    lengthPx: tissue.lengthPx,
  };
}

function pick(
  matrix: SparseMatrix,
  rows: readonly number[],
  columnAt: Int32Array,
  nCols: number,
): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  const most = rows.reduce((n, row) => n + matrix.indptr[row + 1] - matrix.indptr[row], 0);
  const indices = new Uint32Array(most);
  const data = new Float32Array(most);
  let to = 0;
  rows.forEach((row, i) => {
    for (let k = matrix.indptr[row]; k < matrix.indptr[row + 1]; k++) {
      const column = columnAt[matrix.indices[k]];
      if (column < 0) continue;
      indices[to] = column;
      data[to++] = matrix.data[k];
    }
    indptr[i + 1] = to;
  });
  return {
    nRows: rows.length,
    nCols,
    indptr,
    indices: indices.slice(0, to),
    data: data.slice(0, to),
  };
}

function pickRows(data: ArrayLike<number>, nCols: number, rows: readonly number[]): Float32Array {
  const out = new Float32Array(rows.length * nCols);
  rows.forEach((row, i) => {
    for (let j = 0; j < nCols; j++) out[i * nCols + j] = data[row * nCols + j];
  });
  return out;
}

function spotTotals(byGene: SparseMatrix): Float64Array {
  const totals = new Float64Array(byGene.nCols);
  for (let k = 0; k < byGene.indices.length; k++) totals[byGene.indices[k]] += byGene.data[k];
  return totals;
}

function medianTotal(byGene: SparseMatrix): number {
  return spotTotals(byGene).sort()[byGene.nCols >> 1] || 1;
}

/** log1p of counts scaled to the target total, genes × spots, dense. */
function normalisedCounts(byGene: SparseMatrix, target: number): Float32Array {
  const nSpots = byGene.nCols;
  const totals = spotTotals(byGene);
  const out = new Float32Array(byGene.nRows * nSpots);
  for (let g = 0; g < byGene.nRows; g++) {
    for (let k = byGene.indptr[g]; k < byGene.indptr[g + 1]; k++) {
      const s = byGene.indices[k];
      out[g * nSpots + s] = Math.log1p((byGene.data[k] * target) / totals[s]);
    }
  }
  return out;
}

/** Fills in the predictions for the spots that were held out, on the same scale as the observations. */
function predictSpots(
  overlap: SparseMatrix,
  fit: { k: number; membership: Float32Array; profile: Float32Array },
  use: Uint8Array,
  target: number,
  predicted: Float32Array,
): void {
  const { k, profile } = fit;
  const nSpots = overlap.nRows;
  const nGenes = profile.length / k;
  const exposure = multiplyDense(overlap, fit.membership, k);
  const totals = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    for (let g = 0; g < nGenes; g++) totals[j] += profile[j * nGenes + g];
  }
  for (let s = 0; s < nSpots; s++) {
    if (use[s]) continue;
    let total = 0;
    for (let j = 0; j < k; j++) total += exposure[s * k + j] * totals[j];
    const scale = total > 0 ? target / total : 0;
    for (let g = 0; g < nGenes; g++) {
      let rate = 0;
      for (let j = 0; j < k; j++) rate += exposure[s * k + j] * profile[j * nGenes + g];
      predicted[g * nSpots + s] = Math.log1p(rate * scale);
    }
  }
}
