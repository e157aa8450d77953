import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { Exposure } from "./profiles.ts";

/** Input shared by all gene blocks of one fit. */
export interface Fit {
  exposure: Exposure;
  /** Rounds of expectation–maximization; 0 = non-negative least squares. */
  rounds: number;
}

/** Fits the profiles of a block of genes (genes × spots); returns k × genes. */
export const solveBlock = defineTask<Fit, SparseMatrix, Float32Array>(
  "solve-profiles",
  new URL("./profile-worker.ts", import.meta.url),
  // ONNX Runtime is native code.
  { isNative: true },
);
