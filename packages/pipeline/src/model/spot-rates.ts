import type { SparseMatrix } from "../fields.ts";
import { leadingMembers } from "./leading-members.ts";
import { openProductSums } from "./product-sums.ts";

/** The model's factors: M, nCells × k, and B, k × nGenes. */
export interface ModelFactors {
  membership: Float32Array;
  profile: Float32Array;
  k: number;
  nGenes: number;
}

/**
 * Opens the rates λ = MB of the cells that share a spot, for the genes that the spot counted: cells of the spot (a row
 * of `sharing`, nSpots × nCells) × genes, by the memberships that count. They lie in memory that the next call uses
 * again. O(cells × prototypes of a cell × genes) a spot.
 */
export function openSpotRates(
  { membership, profile, k, nGenes }: ModelFactors,
  sharing: SparseMatrix,
): (spot: number, genes: Uint32Array) => Float64Array {
  const members = leadingMembers(membership, k);
  const products = openProductSums(k);
  /** Which call a prototype's profile is of. */
  const calls = new Uint32Array(k);
  let call = 0;
  return (spot, genes) => {
    const n = genes.length;
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    const { sums, row } = products.reserve(end - first, n);
    call++;
    for (let e = first; e < end; e++) {
      const cell = sharing.indices[e];
      const [from, to] = [members.indptr[cell], members.indptr[cell + 1]];
      for (let m = from; m < to; m++) {
        const prototype = members.indices[m];
        if (calls[prototype] === call) continue;
        calls[prototype] = call;
        // The spot's genes of a prototype side by side, which is what every cell reads.
        const own = row(prototype);
        const at = prototype * nGenes;
        for (let i = 0; i < n; i++) own[i] = profile[at + genes[i]];
      }
      products.add(e - first, members.indices.subarray(from, to), members.data.subarray(from, to));
    }
    return sums;
  };
}
