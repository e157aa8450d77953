import type { SparseMatrix } from "@stipple/numerics/matrices";
import { fitProfiles } from "./profiles.ts";
import type { Fit } from "./solve-block.ts";

/** Runs in a worker thread. */
export default function work(fit: Fit, byGene: SparseMatrix): Promise<Float32Array> {
  return fitProfiles({ ...fit, byGene });
}
