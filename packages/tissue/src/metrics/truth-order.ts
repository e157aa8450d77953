import { InputError } from "@stipple/pipeline/errors";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { readResult } from "@stipple/pipeline/results";
import type { KnownTissue } from "../read-truth.ts";

/** Index in the truth for each gene of the results, or −1. Throws if they have no genes in common. */
export async function geneOrder(tissue: KnownTissue, resultsDir: string): Promise<number[]> {
  const place = new Map(tissue.genes.map((gene, index) => [gene.id, index]));
  const order = (await readResult(resultsDir, "genes/id")).map((id) => place.get(id) ?? -1);
  if (order.every((index) => index < 0)) {
    throw new InputError(
      `The results in ${resultsDir} and the truth share no gene: they belong to different samples.`,
    );
  }
  return order;
}

/** Counts with the truth's genes as columns. */
export function inTruthOrder(
  matrix: SparseMatrix,
  order: readonly number[],
  nGenes: number,
): SparseMatrix {
  const indices = new Uint32Array(matrix.indices.length);
  const data = Float32Array.from(matrix.data);
  for (let k = 0; k < indices.length; k++) {
    const to = order[matrix.indices[k]];
    indices[k] = Math.max(0, to);
    if (to < 0) data[k] = 0;
  }
  return { ...matrix, nCols: nGenes, indices, data };
}
