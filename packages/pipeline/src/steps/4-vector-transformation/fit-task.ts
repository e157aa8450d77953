import { defineTask } from "../../engine/tasks/task.ts";
import type { ExpressionFit, FitOptions, PartWeights, TissueData } from "./fit-expression.ts";

/** What the fits of one call have in common. */
export interface FitWork {
  tissues: readonly TissueData[];
  options: Omit<FitOptions, "pool" | "pause" | "progress" | "use">;
  /** What is done of each fit, in memory that threads share. */
  done: Float32Array;
}

/** One fit: to which of the tissues, of which parts, and to which of its spots. */
export interface FitOrder {
  tissue: number;
  weights: PartWeights;
  use: Uint8Array;
}

/** Fits a model on one thread. */
export const fitModel = defineTask<FitWork, FitOrder & { place: number }, ExpressionFit>(
  "fit-model",
  new URL("./fit-worker.ts", import.meta.url),
  // ONNX Runtime's.
  { isNative: true },
);
