import { setImmediate } from "node:timers/promises";
import { throwIfCancelled } from "../../errors.ts";
import type { Matrix } from "../../fields.ts";
import { covarianceOf } from "../../numerics/covariance.ts";
import { log1pOf } from "../../numerics/log1p.ts";
import { principalAxes, projectOn } from "../../numerics/principal-axes.ts";
import { release } from "../../numerics/release.ts";
import { Random } from "../../numerics/random.ts";
import { cellsFrom, type Rates } from "../../model/rates.ts";

export interface CellComponentOptions {
  nComponents: number;
  /** Genes that may be used, 1 = yes. */
  usable: Uint8Array;
  maxGenes: number;
  /** Expected total of each cell over all genes, to normalize by. */
  totals: Float64Array;
  seed: number;
  signal: AbortSignal;
  progress(fraction: number): void;
}

/** Cells that genes are chosen and axes are found on. */
const SAMPLE = 8_000;
const BLOCK = 2_048;
/** Genes whose covariance is taken whole. */
const MOST_COLUMNS = 2_048;
/** Genes whose variance is looked at together. */
const GENE_BLOCK = 2_048;

/**
 * Principal components of log-normalized inferred expression over the most variable usable genes → nCells × nComponents.
 * Genes and axes come from a sample of cells, all cells are projected in blocks: nothing of nCells × nGenes is held.
 * O(nCells · nChosen · (k + nComponents)).
 */
export async function cellComponents(
  rates: Rates,
  options: CellComponentOptions,
): Promise<Matrix<Float32Array>> {
  const { nCells, nGenes } = rates;
  const { totals, signal } = options;
  const scale = median(totals);
  const sample = sampleOf(nCells, options.seed);
  const normalise = (block: Float32Array, cellOf: (row: number) => number, width: number): void => {
    for (let row = 0; row * width < block.length; row++) {
      const factor = scale / Math.max(1e-12, totals[cellOf(row)]);
      for (let j = row * width; j < (row + 1) * width; j++) block[j] = log1pOf(block[j] * factor);
    }
  };

  const usable = Uint32Array.from(Array.from({ length: nGenes }, (_, g) => g)).filter(
    (gene) => options.usable[gene] === 1,
  );
  const genes = await mostVariable(rates, usable, sample, options, scale);
  options.progress(0.4);
  const training = await inBlocks(sample, genes.length, signal, (cells) =>
    rates.rows(cells, genes),
  );
  normalise(training, (row) => sample[row], genes.length);
  const axes = principalAxes(
    training,
    genes.length,
    options.nComponents,
    options.seed,
    // Of many columns it would take longer than what it saves.
    genes.length <= MOST_COLUMNS ? await covarianceOf(training, genes.length) : null,
  );
  options.progress(0.7);
  const data = new Float32Array(nCells * options.nComponents);
  for (let from = 0; from < nCells; from += BLOCK) {
    const to = Math.min(nCells, from + BLOCK);
    const block = await rates.rows(cellsFrom(from, to), genes);
    normalise(block, (row) => from + row, genes.length);
    const scores = projectOn(axes, block, to - from);
    for (let row = 0; row < to - from; row++) {
      data.set(
        scores.subarray(row * axes.nAxes, (row + 1) * axes.nAxes),
        (from + row) * options.nComponents,
      );
    }
    release(block);
    options.progress(0.7 + 0.3 * (to / nCells));
    await setImmediate();
    throwIfCancelled(signal);
  }
  return { nRows: nCells, nCols: options.nComponents, data };
}

/** The usable genes with the largest variance of the log-normalized rate over the sample. */
async function mostVariable(
  rates: Rates,
  usable: Uint32Array<ArrayBuffer>,
  sample: Uint32Array,
  { totals, maxGenes, signal, progress }: CellComponentOptions,
  scale: number,
): Promise<Uint32Array<ArrayBuffer>> {
  const variance = new Float64Array(usable.length);
  for (let first = 0; first < usable.length; first += GENE_BLOCK) {
    const genes = usable.subarray(first, first + GENE_BLOCK);
    const sum = new Float64Array(genes.length);
    const squares = new Float64Array(genes.length);
    for (let from = 0; from < sample.length; from += BLOCK) {
      const cells = sample.subarray(from, from + BLOCK);
      const block = await rates.rows(cells, genes);
      for (let i = 0; i < cells.length; i++) {
        const factor = scale / Math.max(1e-12, totals[cells[i]]);
        for (let j = 0; j < genes.length; j++) {
          const value = log1pOf(block[i * genes.length + j] * factor);
          sum[j] += value;
          squares[j] += value * value;
        }
      }
      release(block);
      await setImmediate();
      throwIfCancelled(signal);
    }
    for (let j = 0; j < genes.length; j++) {
      variance[first + j] = squares[j] / sample.length - (sum[j] / sample.length) ** 2;
    }
    progress(0.4 * ((first + genes.length) / usable.length));
  }
  return Uint32Array.from(
    Array.from(usable.keys())
      .sort((a, b) => variance[b] - variance[a] || a - b)
      .slice(0, maxGenes),
    (i) => usable[i],
  ).sort();
}

/** Rates of many cells, with pauses. */
async function inBlocks(
  cells: Uint32Array,
  nGenes: number,
  signal: AbortSignal,
  ratesOf: (cells: Uint32Array) => Promise<Float32Array>,
): Promise<Float32Array> {
  const all = new Float32Array(cells.length * nGenes);
  for (let from = 0; from < cells.length; from += BLOCK) {
    const block = await ratesOf(cells.subarray(from, from + BLOCK));
    all.set(block, from * nGenes);
    release(block);
    await setImmediate();
    throwIfCancelled(signal);
  }
  return all;
}

function sampleOf(nCells: number, seed: number): Uint32Array {
  const all = Uint32Array.from({ length: nCells }, (_, cell) => cell);
  if (nCells <= SAMPLE) return all;
  new Random(seed).shuffle(all);
  return all.subarray(0, SAMPLE).sort();
}

function median(values: Float64Array): number {
  const sorted = values.toSorted();
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}
