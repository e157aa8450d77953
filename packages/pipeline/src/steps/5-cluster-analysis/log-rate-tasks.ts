import { defineTask } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { type RateParts, rateRows, type Rates } from "../../model/rates.ts";
import type { PrincipalAxes } from "@stipple/numerics/principal-axes";
import { type Depth, logRatesOf, variancesOf } from "./log-rates.ts";
import { throwIfLeft } from "@stipple/tasks/left-task";
import { rowsOf } from "@stipple/numerics/sparse-rows";

/** Input shared by all genes when computing variances. */
export interface VarianceWork {
  parts: RateParts;
  sample: Uint32Array;
  depth: Depth;
}

/** Some genes and the spots' counts of them, nSpots × all genes. */
export interface VarianceGenes {
  genes: Uint32Array;
  counts: SparseMatrix;
}

/** Input shared by all blocks of cells. */
export interface LogRateWork {
  /** Cache key: a thread keeps what it derived from these factors. */
  key: string;
  parts: RateParts;
  genes: Uint32Array;
  /** The spots' counts of these genes, nSpots × all genes. */
  counts: SparseMatrix;
  depth: Depth;
  axes: PrincipalAxes | null;
}

/** Runs in a worker thread. */
export function variancesOfSome(
  { parts, sample, depth }: VarianceWork,
  { genes, counts }: VarianceGenes,
): Promise<Float64Array> {
  const rates = rateRows({ ...parts, spotCounts: rowsOf(counts) });
  return variancesOf(rates, sample, genes, depth, throwIfLeft);
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

/** Variance of some genes' log-normalized rates over the sample. */
export const varianceOfGenes = defineTask(
  import.meta.url,
  variancesOfSome,
  // ONNX Runtime is native code.
  { isNative: true },
);

/** Log-normalized rates of some cells, or their scores on the axes. */
export const logRatesOfCells = defineTask(import.meta.url, logRatesOfSome, { isNative: true });
