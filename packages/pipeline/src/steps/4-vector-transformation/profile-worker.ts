import type { SparseMatrix } from "../../fields.ts";
import { solveProfiles } from "./profiles.ts";
import type { Fit } from "./solve-block.ts";

/** Runs in a worker thread. */
export default function work(fit: Fit, byGene: SparseMatrix): Float32Array {
  return solveProfiles({ ...fit, byGene });
}
