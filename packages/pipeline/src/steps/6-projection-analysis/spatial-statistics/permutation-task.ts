import { defineTask } from "../../../engine/tasks/task.ts";
import type { GeneValues } from "./gene-values.ts";
import type { RowWeights, WeightParts } from "./row-weights.ts";

/** Genes whose scores are computed with permuted cells. */
export interface PermutedGenes {
  weights: WeightParts;
  genes: readonly (Pick<GeneValues, "rows" | "values"> & {
    center: ReturnType<RowWeights["center"]>;
  })[];
}

/** Scores of all genes for some orders of the cells, orders × genes. */
export const scorePermutations = defineTask<PermutedGenes, readonly Uint32Array[], Float64Array>(
  "score-permutations",
  new URL("./permutation-worker.ts", import.meta.url),
);
