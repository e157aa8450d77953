import { setImmediate } from "node:timers/promises";
import { log1pOf } from "@stipple/numerics/log1p";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { projectOn, type PrincipalAxes } from "@stipple/numerics/principal-axes";
import { release } from "@stipple/numerics/release";
import { rowsOf } from "@stipple/numerics/sparse-rows";
import { throwIfLeft } from "@stipple/tasks/left-task";
import { defineTask } from "@stipple/tasks/task";
import { rateRows, type RateParts, type Rates } from "../../model/rates.ts";

/** Normalization of cell rates. */
export interface Depth {
  /** Expected total of each cell over all genes. */
  totals: Float64Array;
  /** Total to which all cells are scaled. */
  scale: number;
}

/** Number of cells whose rates are computed together. */
export const BLOCK = 2_048;

/** Variance of each gene's log-normalized rate over some cells. `pause` is called between blocks of cells. */
export async function variancesOf(
  { rows }: Pick<Rates, "rows">,
  sample: Uint32Array,
  genes: Uint32Array,
  { totals, scale }: Depth,
  pause: () => Promise<void> | void = () => setImmediate(),
): Promise<Float64Array> {
  const sum = new Float64Array(genes.length);
  const squares = new Float64Array(genes.length);
  for (let from = 0; from < sample.length; from += BLOCK) {
    const cells = sample.subarray(from, from + BLOCK);
    const block = await rows(cells, genes);
    for (let i = 0; i < cells.length; i++) {
      const factor = scale / Math.max(1e-12, totals[cells[i]]);
      addRow(block.subarray(i * genes.length, (i + 1) * genes.length), factor, sum, squares);
    }
    release(block);
    await pause();
  }
  return sum.map((value, j) => squares[j] / sample.length - (value / sample.length) ** 2);
}

/** Handles one cell and is called constantly, so that V8 keeps its compiled code. */
function addRow(row: Float32Array, factor: number, sum: Float64Array, squares: Float64Array): void {
  for (let j = 0; j < row.length; j++) {
    const value = log1pOf(row[j] * factor);
    sum[j] += value;
    squares[j] += value * value;
  }
}

/** Log-normalized rates of some cells, cells.length × genes.length, or their scores if `axes` are given. */
export async function logRatesOf(
  { rows }: Pick<Rates, "rows">,
  cells: Uint32Array,
  genes: Uint32Array,
  { totals, scale }: Depth,
  axes: PrincipalAxes | null,
): Promise<Float32Array<ArrayBuffer>> {
  const width = genes.length;
  const block = await rows(cells, genes);
  for (let i = 0; i < cells.length; i++) {
    const factor = scale / Math.max(1e-12, totals[cells[i]]);
    normalizeRow(block.subarray(i * width, (i + 1) * width), factor);
  }
  if (!axes) return block;
  const scores = projectOn(axes, block, cells.length);
  release(block);
  return scores;
}

function normalizeRow(row: Float32Array, factor: number): void {
  for (let j = 0; j < row.length; j++) row[j] = log1pOf(row[j] * factor);
}

/** Runs in a worker thread. `counts`: the spots' counts of these genes, nSpots × all genes. */
export function variancesOfSome(
  { parts, sample, depth }: { parts: RateParts; sample: Uint32Array; depth: Depth },
  { genes, counts }: { genes: Uint32Array; counts: SparseMatrix },
): Promise<Float64Array> {
  const rates = rateRows({ ...parts, spotCounts: rowsOf(counts) });
  return variancesOf(rates, sample, genes, depth, throwIfLeft);
}

/** Variance of some genes' log-normalized rates over the sample. ONNX Runtime is native code. */
export const varianceOfGenes = defineTask(import.meta.url, variancesOfSome, { isNative: true });

/** Input shared by all blocks of cells. */
interface LogRateWork {
  /** Cache key: a thread keeps what it derived from these factors. */
  key: string;
  parts: RateParts;
  genes: Uint32Array;
  /** The spots' counts of these genes, nSpots × all genes. */
  counts: SparseMatrix;
  depth: Depth;
  axes: PrincipalAxes | null;
}

let held: { key: string; rates: Pick<Rates, "rows">; genes: Uint32Array } | null = null;

/** Runs in a worker thread. */
export function logRatesOfSome(
  { key, parts, genes, counts, depth, axes }: LogRateWork,
  cells: Uint32Array,
): Promise<Float32Array> {
  if (held?.key !== key) {
    held = { key, genes, rates: rateRows({ ...parts, spotCounts: rowsOf(counts) }) };
  }
  return logRatesOf(held.rates, cells, held.genes, depth, axes);
}

/** Log-normalized rates of some cells, or their scores on the axes. */
export const logRatesOfCells = defineTask(import.meta.url, logRatesOfSome, { isNative: true });
