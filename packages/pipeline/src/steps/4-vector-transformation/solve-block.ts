import { defineTask } from "../../engine/tasks/task.ts";
import type { SparseMatrix } from "../../fields.ts";
import type { Exposure } from "./profiles.ts";

/** What the blocks of genes of one fit have in common. */
export interface Fit {
  exposure: Exposure;
  /** Rounds of expectation–maximization; 0 = non-negative least squares. */
  rounds: number;
}

/** Fits the profiles of a block of genes (genes × spots); k × genes. */
export const solveBlock = defineTask<Fit, SparseMatrix, Float32Array>(
  "solve-profiles",
  new URL("./profile-worker.ts", import.meta.url),
  // ONNX Runtime's.
  { isNative: true },
);
