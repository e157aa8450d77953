import type { Neighbors } from "@stipple/numerics/neighbors/find-neighbors";
import { closenessFor } from "./closeness.ts";
import { fuzzyGraph } from "./fuzzy-graph.ts";
import { settle } from "./settle.ts";

export interface LayoutOptions {
  epochs: number;
  minDist: number;
  seed: number;
}

/**
 * Moves cells from their starting positions to their final UMAP positions; yields the number of completed
 * epochs.
 */
export function* layOut(
  embedding: Float32Array,
  neighbors: Neighbors,
  { epochs, minDist, seed }: LayoutOptions,
): Generator<number> {
  const graph = fuzzyGraph(neighbors);
  yield* settle(embedding, { graph, closeness: closenessFor(minDist), epochs, seed });
}
