import { defineTask } from "@stipple/tasks/task";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { type Exposure, fitProfiles } from "./profiles.ts";

/** Input shared by all gene blocks of one fit. */
export interface Fit {
  exposure: Exposure;
  /** Rounds of expectation–maximization; 0 = non-negative least squares. */
  rounds: number;
}

/** Runs in a worker thread. */
export function profilesOfBlock(fit: Fit, byGene: SparseMatrix): Promise<Float32Array> {
  return fitProfiles({ ...fit, byGene });
}

/** Fits the profiles of a block of genes (genes × spots); returns k × genes. */
export const solveBlock = defineTask(
  import.meta.url,
  profilesOfBlock,
  // ONNX Runtime is native code.
  { isNative: true },
);
