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
 * of `sharing`, nSpots × nCells) × genes, by the memberships that count. They lie in memory that the next call uses
 * again. O(cells × prototypes of a cell × genes) a spot.
 */
export function openSpotRates(
  { membership, profile, k, nGenes }: ModelFactors,
  sharing: SparseMatrix,
): (spot: number, genes: Uint32Array) => Float64Array {
  const members = leadingMembers(membership, k);
  let room = new Float64Array(0);
  /** The spot's genes of a prototype side by side, which is what every cell reads. */
  const profiles: Float32Array[] = new Array(k);
  /** Which call a prototype's profile is of. */
  const calls = new Uint32Array(k);
  let call = 0;
  return (spot, genes) => {
    const n = genes.length;
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    const length = (end - first) * n;
    if (room.length < length) room = new Float64Array(2 * length);
    const rates = room.subarray(0, length).fill(0);
    call++;
    const profileOf = (prototype: number): Float32Array => {
      let own = profiles[prototype];
      if (calls[prototype] === call) return own;
      if (!own || own.length < n) own = profiles[prototype] = new Float32Array(2 * n);
      const at = prototype * nGenes;
      for (let i = 0; i < n; i++) own[i] = profile[at + genes[i]];
      calls[prototype] = call;
      return own;
    };
    for (let e = first; e < end; e++) {
      const row = rates.subarray((e - first) * n, (e - first + 1) * n);
      const cell = sharing.indices[e];
      const last = members.indptr[cell + 1];
      let m = members.indptr[cell];
      // Four prototypes at a time, in the same order: a quarter of the loads and stores.
      for (; m + 3 < last; m += 4) {
        const { data, indices } = members;
        const [s0, s1, s2, s3] = [data[m], data[m + 1], data[m + 2], data[m + 3]];
        const [b0, b1] = [profileOf(indices[m]), profileOf(indices[m + 1])];
        const [b2, b3] = [profileOf(indices[m + 2]), profileOf(indices[m + 3])];
        for (let i = 0; i < n; i++) {
          row[i] = row[i] + s0 * b0[i] + s1 * b1[i] + s2 * b2[i] + s3 * b3[i];
        }
      }
      for (; m < last; m++) {
        const [share, b] = [members.data[m], profileOf(members.indices[m])];
        for (let i = 0; i < n; i++) row[i] += share * b[i];
      }
    }
    return rates;
  };
}
