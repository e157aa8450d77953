import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { RateParts } from "../../model/rates.ts";
import type { PrincipalAxes } from "@stipple/numerics/principal-axes";
import type { Depth } from "./log-rates.ts";

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

/** Variance of some genes' log-normalized rates over the sample. */
export const varianceOfGenes = defineTask<VarianceWork, VarianceGenes, Float64Array>(
  "variance-of-genes",
  new URL("./variance-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);

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

/** Log-normalized rates of some cells, or their scores on the axes. */
export const logRatesOfCells = defineTask<LogRateWork, Uint32Array, Float32Array>(
  "log-rates-of-cells",
  new URL("./log-rates-worker.ts", import.meta.url),
  { isNative: true },
);
