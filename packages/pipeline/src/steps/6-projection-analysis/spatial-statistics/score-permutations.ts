import { defineTask } from "@stipple/tasks/task";
import type { GeneValues } from "./gene-values.ts";
import { RowWeights, type WeightParts } from "./row-weights.ts";

/** Genes whose scores are computed with permuted cells. */
export interface PermutedGenes {
  weights: WeightParts;
  genes: readonly (Pick<GeneValues, "rows" | "values"> & {
    center: ReturnType<RowWeights["center"]>;
  })[];
}

/** Runs in a worker thread, which is terminated once nobody is waiting for the result. */
export async function scoreOrders(
  { weights: parts, genes }: PermutedGenes,
  orders: readonly Uint32Array[],
): Promise<Float64Array> {
  const weights = new RowWeights(parts);
  const scores = new Float64Array(orders.length * genes.length);
  for (const [i, order] of orders.entries()) {
    scores.set(await scoresOf(weights, genes, order), i * genes.length);
  }
  return scores;
}

/** Moran's I of all genes with the cells in a given order. */
export async function scoresOf(
  weights: RowWeights,
  genes: PermutedGenes["genes"],
  order: Uint32Array,
  pause?: () => Promise<void> | undefined,
): Promise<Float64Array> {
  const exchanged = weights.exchanged(order);
  const scores = new Float64Array(genes.length);
  for (const [g, { rows, values, center }] of genes.entries()) {
    scores[g] = exchanged.score(rows, values, center);
    await pause?.();
  }
  return scores;
}

/** Scores of all genes for some orders of the cells, orders × genes. */
export const scorePermutations = defineTask(import.meta.url, scoreOrders);
