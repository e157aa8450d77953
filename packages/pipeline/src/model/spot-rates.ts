import type { SparseMatrix } from "../fields.ts";
import { leadingMembers } from "./leading-members.ts";

/** The model's factors: M, nCells × k, and B, k × nGenes. */
export interface ModelFactors {
  membership: Float32Array;
  profile: Float32Array;
  k: number;
  nGenes: number;
}

/**
 * Opens the rates λ = MB of the cells that share a spot, for the genes that the spot counted: cells of the spot (a row
 * of `sharing`, nSpots × nCells) × genes, by the memberships that count. O(cells × prototypes of a cell × genes) a spot.
 */
export function openSpotRates(
  { membership, profile, k, nGenes }: ModelFactors,
  sharing: SparseMatrix,
): (spot: number, genes: Uint32Array) => Float64Array {
  const members = leadingMembers(membership, k);
  return (spot, genes) => {
    const n = genes.length;
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    const rates = new Float64Array((end - first) * n);
    /** The spot's genes of a prototype side by side, which is what every cell reads. */
    const profiles = new Map<number, Float32Array>();
    const profileOf = (prototype: number): Float32Array => {
      let own = profiles.get(prototype);
      if (!own) {
        own = new Float32Array(n);
        const at = prototype * nGenes;
        for (let i = 0; i < n; i++) own[i] = profile[at + genes[i]];
        profiles.set(prototype, own);
      }
      return own;
    };
    for (let e = first; e < end; e++) {
      const row = rates.subarray((e - first) * n, (e - first + 1) * n);
      const cell = sharing.indices[e];
      const last = members.indptr[cell + 1];
      let m = members.indptr[cell];
      // Two prototypes at a time, in the same order: half of the loads and stores.
      for (; m + 1 < last; m += 2) {
        const [share0, share1] = [members.data[m], members.data[m + 1]];
        const [b0, b1] = [profileOf(members.indices[m]), profileOf(members.indices[m + 1])];
        for (let i = 0; i < n; i++) row[i] = row[i] + share0 * b0[i] + share1 * b1[i];
      }
      if (m < last) {
        const [share, b] = [members.data[m], profileOf(members.indices[m])];
        for (let i = 0; i < n; i++) row[i] += share * b[i];
      }
    }
    return rates;
  };
}
