import type { SparseMatrix } from "@stipple/numerics/matrices";
import { leadingMembers } from "./leading-members.ts";
import { openProductSums } from "./product-sums.ts";

/** The model's factors: M, nCells × k, and B, k × nGenes. */
export interface ModelFactors {
  membership: Float32Array;
  profile: Float32Array;
  k: number;
  nGenes: number;
}

/** A spot is dense if more than 1 in this many genes has counts. */
const DENSE = 8;
/** Prototypes whose profiles are gathered together. */
const GROUP = 4;

/**
 * Opens the rates λ = MB of the cells that share a spot, for the genes counted in the spot: cells of the spot (a row of
 * `sharing`, nSpots × nCells) × genes, from the leading memberships. They are in memory that the next call reuses.
 * O(cells × prototypes of a cell × genes) per spot.
 */
export function openSpotRates(
  { membership, profile, k, nGenes }: ModelFactors,
  sharing: SparseMatrix,
): (spot: number, genes: Uint32Array) => Float64Array {
  const members = leadingMembers(membership, k);
  // The values of all prototypes for a gene are adjacent, padded to whole groups.
  const padded = GROUP * Math.ceil(k / GROUP);
  const products = openProductSums(padded, Float32Array);
  const byGene = new Float32Array(padded * nGenes);
  for (let j = 0; j < k; j++) {
    for (let g = 0; g < nGenes; g++) byGene[g * padded + j] = profile[j * nGenes + g];
  }
  /** The last call that wanted each prototype, and the prototypes that the current call wants. */
  const calls = new Uint32Array(k);
  const wanted = new Uint32Array(padded);
  let call = 0;
  return (spot, genes) => {
    const n = genes.length;
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    const { sums, rows, rowLength } = products.reserve(end - first, n);
    call++;
    let nWanted = 0;
    for (let e = first; e < end; e++) {
      const cell = sharing.indices[e];
      for (let m = members.indptr[cell]; m < members.indptr[cell + 1]; m++) {
        const prototype = members.indices[m];
        if (calls[prototype] === call) continue;
        calls[prototype] = call;
        wanted[nWanted++] = prototype;
      }
    }
    // Genes that are close together are read in the order of a prototype's profile. For scattered ones, gathering all
    // prototypes together halves the cost of each.
    if (DENSE * n > nGenes) {
      for (let w = 0; w < nWanted; w++) {
        const of = wanted[w];
        gatherOne(profile, of * nGenes, genes, rows, of * rowLength);
      }
    } else if (2 * nWanted > k) gatherAll(byGene, padded, genes, rows, rowLength);
    else {
      for (let w = nWanted; w % GROUP > 0; w++) wanted[w] = wanted[nWanted - 1];
      for (let w = 0; w < nWanted; w += GROUP) {
        gatherFour(byGene, padded, genes, rows, rowLength, wanted.subarray(w, w + GROUP));
      }
    }
    for (let e = first; e < end; e++) {
      const cell = sharing.indices[e];
      const [from, to] = [members.indptr[cell], members.indptr[cell + 1]];
      products.add(e - first, members.indices, members.data, from, to);
    }
    return sums;
  };
}

/** Gathers the genes' values of a prototype, which start at `from`, to consecutive places starting at `to`. */
function gatherOne(
  profile: Float32Array,
  from: number,
  genes: Uint32Array,
  rows: Float32Array,
  to: number,
): void {
  for (let i = 0; i < genes.length; i++) rows[to + i] = profile[from + genes[i]];
}

/**
 * Gathers four prototypes. A gene's values are adjacent, so they are fetched into the processor's cache once: on
 * slides of bins, whose genes are few and far between, that is where the time goes.
 */
function gatherFour(
  byGene: Float32Array,
  k: number,
  genes: Uint32Array,
  rows: Float32Array,
  rowLength: number,
  [a, b, c, d]: Uint32Array,
): void {
  const [toA, toB, toC, toD] = [a * rowLength, b * rowLength, c * rowLength, d * rowLength];
  for (let i = 0; i < genes.length; i++) {
    const at = genes[i] * k;
    rows[toA + i] = byGene[at + a];
    rows[toB + i] = byGene[at + b];
    rows[toC + i] = byGene[at + c];
    rows[toD + i] = byGene[at + d];
  }
}

/** Gathers the genes' values of every prototype, each in a row of `rowLength`. */
function gatherAll(
  byGene: Float32Array,
  k: number,
  genes: Uint32Array,
  rows: Float32Array,
  rowLength: number,
): void {
  for (let i = 0; i < genes.length; i++) {
    const first = genes[i] * k;
    for (let at = first, to = i; at < first + k; at += GROUP, to += GROUP * rowLength) {
      rows[to] = byGene[at];
      rows[to + rowLength] = byGene[at + 1];
      rows[to + 2 * rowLength] = byGene[at + 2];
      rows[to + 3 * rowLength] = byGene[at + 3];
    }
  }
}
