import { openGraph } from "@stipple/numerics/onnx-graph";
import { leadingMembers } from "./leading-members.ts";
import type { ModelFactors } from "./spot-rates.ts";

/** Number of rates computed at a time, small enough to stay in the CPU cache. */
const TOGETHER = 1 << 18;

/** The model's rates of all cells, gene by gene. */
export interface GeneRates {
  /** Genes computed together. */
  genesTogether: number;
  /**
   * λ = MB for genes from … to − 1 in all cells, genes × nCells, from the leading memberships. The result is in memory
   * that the next call reuses.
   */
  rates(from: number, to: number): Promise<Float32Array>;
}

/**
 * Opens rates by matrix products in ONNX Runtime, which take a tenth of the time of adding up the few prototypes of
 * each cell one by one. O(nCells · k) per gene.
 */
export async function openGeneRates(factors: ModelFactors): Promise<GeneRates> {
  const { profile, k, nGenes } = factors;
  const nCells = factors.membership.length / k;
  const genesTogether = Math.max(1, Math.min(nGenes, Math.floor(TOGETHER / Math.max(1, nCells))));
  const members = leadingByPrototype(factors.membership, k);
  const multiply =
    nCells > 0 &&
    (await openGraph({
      nodes: [{ operator: "MatMul", inputs: ["profiles", "members"], output: "rates" }],
      constants: [{ name: "members", shape: [k, nCells], data: members }],
      inputs: [{ name: "profiles", shape: ["genes", k] }],
      output: { name: "rates", shape: ["genes", nCells] },
    }));
  const wanted = new Float32Array(genesTogether * k);
  const out = new Float32Array(genesTogether * nCells);
  return {
    genesTogether,
    async rates(from, to) {
      for (let gene = from, at = 0; gene < to; gene++) {
        for (let j = 0; j < k; j++) wanted[at++] = profile[j * nGenes + gene];
      }
      const found = out.subarray(0, (to - from) * nCells);
      if (multiply) await multiply.into(found, wanted.subarray(0, (to - from) * k));
      return found;
    },
  };
}

/** M transposed, k × nCells, with only the leading memberships. */
function leadingByPrototype(membership: Float32Array, k: number): Float32Array {
  const { nRows: nCells, indptr, indices, data } = leadingMembers(membership, k);
  const out = new Float32Array(k * nCells);
  for (let cell = 0; cell < nCells; cell++) {
    for (let e = indptr[cell]; e < indptr[cell + 1]; e++) out[indices[e] * nCells + cell] = data[e];
  }
  return out;
}
