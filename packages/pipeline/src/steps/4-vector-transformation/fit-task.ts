import { defineTask } from "../../engine/tasks/task.ts";
import type { ExpressionFit, FitOptions, PartWeights, TissueData } from "./fit-expression.ts";

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

/** Fits a model on one thread. */
export const fitModel = defineTask<FitWork, FitOrder & { place: number }, ExpressionFit>(
  "fit-model",
  new URL("./fit-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);
