import { defineTask } from "@stipple/tasks/task";
import {
  type ExpressionFit,
  fitExpression,
  type FitOptions,
  type PartWeights,
  type TissueData,
} from "./fit-expression.ts";

/** Input shared by all fits of one call. */
export interface FitWork {
  tissues: readonly TissueData[];
  options: Omit<FitOptions, "pool" | "pause" | "progress" | "use">;
  /** Progress of each fit, in memory shared between threads. */
  done: Float32Array;
}

/** One fit: which tissue, which parts, and which spots. */
export interface FitOrder {
  tissue: number;
  weights: PartWeights;
  use: Uint8Array;
}

/** Runs in a worker thread. */
export function fitOne(
  { tissues, options, done }: FitWork,
  { tissue, weights, use, place }: FitOrder & { place: number },
): Promise<ExpressionFit> {
  return fitExpression(tissues[tissue], weights, {
    ...options,
    use,
    progress: (fraction) => (done[place] = fraction),
  });
}

/** Fits a model on one thread. */
export const fitModel = defineTask(
  import.meta.url,
  fitOne,
  // ONNX Runtime is native code.
  { isNative: true },
);
