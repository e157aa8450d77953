import { randomUUID } from "node:crypto";
import type { Tasks } from "@stipple/tasks/task";
import { pause } from "../../engine/pause.ts";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { covarianceOf } from "@stipple/numerics/covariance";
import { principalAxes, type PrincipalAxes } from "@stipple/numerics/principal-axes";
import { Random } from "@stipple/numerics/random";
import { selectValue } from "@stipple/numerics/select-value";
import { sketchOf } from "@stipple/numerics/sketch";
import { keepColumns, keepRows } from "@stipple/numerics/sparse";
import { cellsFrom, type RateParts, type Rates } from "../../model/rates.ts";
import {
  BLOCK,
  logRatesOf,
  logRatesOfCells,
  varianceOfGenes,
  variancesOf,
  type Depth,
} from "./log-rates.ts";
import { SAMPLES } from "../../model/limits.ts";

export interface CellComponentOptions {
  nComponents: number;
  /** Cells that are described; all by default. */
  cells?: Uint32Array<ArrayBuffer>;
  /** 1 = the gene may be used. */
  usable: Uint8Array;
  maxGenes: number;
  /** Expected total of each cell over all genes, for normalization. */
  totals: Float64Array;
  seed: number;
  signal: AbortSignal;
  progress(fraction: number): void;
  /** Threads and the data from which they compute the same rates; none by default. */
  shared?: SharedCounts | undefined;
}

export interface SharedCounts {
  tasks: Tasks;
  parts: RateParts;
  spotCounts: SparseMatrix;
}

/** Genes whose variances are computed together. */
const GENE_BLOCK = 2_048;
/** The neighbor search also starts threads at this many cells. */
const WORTH_THREADS = 8_192;

/**
 * Principal components of log-normalized inferred expression over the most variable usable genes → cells ×
 * nComponents. Genes and axes come from a sample of cells; all cells are projected in blocks, so nCells × nGenes is
 * never held. Bit-identical for any number of threads. O(nCells · nChosen · (k + nComponents)).
 */
export async function cellComponents(
  rates: Rates,
  given: CellComponentOptions,
): Promise<Matrix<Float32Array>> {
  const { cells = cellsFrom(0, rates.nCells) } = given;
  const nCells = cells.length;
  const shared = given.shared?.tasks.isWorth(nCells, WORTH_THREADS) ? given.shared : undefined;
  const options = { ...given, shared };
  const { totals, nComponents, seed, progress } = options;
  const depth = { totals, scale: selectValue(totals.slice(), totals.length >> 1) };
  const sample = sketchOf(cells, SAMPLES.CLUSTER_CELLS, new Random(seed));
  const usable = Uint32Array.from(options.usable.keys()).filter(
    (gene) => options.usable[gene] === 1,
  );
  const genes = await mostVariable(rates, usable, sample, depth, options);
  progress(0.4);
  const ofGenes = { genes, depth, counts: countsOf(options, genes) };
  const training = new Float32Array(sample.length * genes.length);
  let at = 0;
  for await (const block of inBlocks(rates, sample, { ...ofGenes, axes: null }, options)) {
    training.set(block, at);
    at += block.length;
  }
  const axes = principalAxes(
    training,
    genes.length,
    nComponents,
    seed,
    // With many columns, computing the covariance would take more time than it saves.
    genes.length <= SAMPLES.CLUSTER_GENES ? await covarianceOf(training, genes.length) : null,
  );
  progress(0.7);
  const data = new Float32Array(nCells * nComponents);
  let row = 0;
  for await (const scores of inBlocks(rates, cells, { ...ofGenes, axes }, options)) {
    for (let from = 0; from < scores.length; from += axes.nAxes, row++) {
      data.set(scores.subarray(from, from + axes.nAxes), row * nComponents);
    }
    progress(0.7 + 0.3 * (row / nCells));
  }
  return { nRows: nCells, nCols: nComponents, data };
}

/** The usable genes with the largest variance of the log-normalized rate over the sample. */
async function mostVariable(
  rates: Rates,
  usable: Uint32Array<ArrayBuffer>,
  sample: Uint32Array,
  depth: Depth,
  { maxGenes, signal, progress, shared }: CellComponentOptions,
): Promise<Uint32Array<ArrayBuffer>> {
  const variance = new Float64Array(usable.length);
  const told = (done: number): void => progress(0.4 * (done / usable.length));
  // As many blocks as threads, or a multiple.
  const parallel = shared?.tasks.parallel ?? 1;
  const rounds = Math.max(1, Math.ceil(usable.length / (GENE_BLOCK * parallel)));
  const size = Math.max(1, Math.ceil(usable.length / (rounds * parallel)));
  const blocks = Array.from({ length: Math.ceil(usable.length / size) }, (_, i) =>
    usable.slice(i * size, (i + 1) * size),
  );
  let first = 0;
  const take = (found: Float64Array): void => {
    variance.set(found, first);
    told((first += found.length));
  };
  if (shared) {
    const { tasks, parts } = shared;
    const sampled = countsOfCells(shared, sample);
    const inputs = {
      length: blocks.length,
      at: (i: number) => ({
        genes: blocks[i],
        counts: keepColumns(sampled, flags(blocks[i], sampled.nCols)),
      }),
    };
    const call = { shared: { parts, sample, depth }, inputs };
    for await (const found of tasks.inOrder(varianceOfGenes, call, { signal })) take(found);
  } else {
    for (const genes of blocks) {
      take(await variancesOf(rates, sample, genes, depth, () => pause(signal)));
    }
  }
  return Uint32Array.from(
    Array.from(usable.keys())
      .sort((a, b) => variance[b] - variance[a] || a - b)
      .slice(0, maxGenes),
    (i) => usable[i],
  ).sort();
}

/** Log-normalized rates of many cells, or their scores, block by block. */
async function* inBlocks(
  rates: Rates,
  cells: Uint32Array<ArrayBuffer>,
  of: {
    genes: Uint32Array<ArrayBuffer>;
    depth: Depth;
    counts: SparseMatrix | null;
    axes: PrincipalAxes | null;
  },
  { shared, signal }: CellComponentOptions,
): AsyncGenerator<Float32Array> {
  const blocks = Array.from({ length: Math.ceil(cells.length / BLOCK) }, (_, i) =>
    cells.slice(i * BLOCK, (i + 1) * BLOCK),
  );
  const { counts, ...rest } = of;
  if (shared && counts) {
    const common = { key: randomUUID(), parts: shared.parts, counts, ...rest };
    yield* shared.tasks.inOrder(logRatesOfCells, { shared: common, inputs: blocks }, { signal });
    return;
  }
  for (const block of blocks) {
    yield await logRatesOf(rates, block, of.genes, of.depth, of.axes);
    await pause(signal);
  }
}

/** The spot data that threads need: only the counts of these genes, a small part of all counts. */
function countsOf(
  { shared }: CellComponentOptions,
  genes: Uint32Array<ArrayBuffer>,
): SparseMatrix | null {
  return shared
    ? keepColumns(shared.spotCounts, flags(genes, shared.spotCounts.nCols), { shared: true })
    : null;
}

/** Only the counts of spots that affect the rates of some cells: on HD slides, a small part of all counts. */
function countsOfCells({ parts, spotCounts }: SharedCounts, cells: Uint32Array): SparseMatrix {
  const { data, nCols } = parts.nearSpot;
  const near = new Uint8Array(spotCounts.nRows);
  for (const cell of cells) {
    for (let n = cell * nCols; n < (cell + 1) * nCols; n++) if (data[n] >= 0) near[data[n]] = 1;
  }
  return keepRows(spotCounts, near);
}

/** 1 at the given places. */
function flags(places: Uint32Array, length: number): Uint8Array {
  const found = new Uint8Array(length);
  for (const place of places) found[place] = 1;
  return found;
}
