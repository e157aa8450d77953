import type { SparseMatrix } from "@stipple/numerics/matrices";
import { openKernels } from "../../model/kernels.ts";

/** Entries that the loops take together. */
const GROUP = 4;
/** Bytes per entry: address of its gene's rates, padded to twice its size, and its count. */
const ENTRY = 16;

/** Sums over fixed spot counts with varying exposures and rates. */
export interface SlopeKernel {
  /** −Σ_s y_sg · share_s for every gene, nGenes × k. `share` is nSpots × k. */
  gradient(share: Float32Array): Float64Array;
  /**
   * Σ_g y_sg · rates_g / (data_s · rates_g) for every spot, skipping entries without expected counts: nSpots rows of
   * `stride` numbers, of which the first k are filled, in memory that the next call reuses. `rates` is nGenes × k.
   */
  slopes(data: Float32Array, rates: Float64Array): { slopes: Float64Array; stride: number };
}

/** Opens sums over counts (nSpots × nGenes) with k prototypes: compiled loops (`assembly/profiles.ts`). */
export function openSlopeKernel(counts: SparseMatrix, k: number): SlopeKernel {
  const { nRows: nSpots, nCols: nGenes, indptr } = counts;
  // Prototypes are processed in pairs; with an odd number, the padding prototype has no exposure.
  const stride = k + (k % 2);
  const { reserve, call } = openKernels();
  const rowBytes = 8 * stride;
  const ends = new Uint32Array(nSpots);
  let nEntries = 0;
  for (let s = 0; s < nSpots; s++) {
    nEntries += GROUP * Math.ceil((indptr[s + 1] - indptr[s]) / GROUP);
    ends[s] = nEntries;
  }
  // One row more than there are genes, for the padding entries of a group, which have no counts.
  const genesAt = 0;
  const slopesAt = rowBytes * (nGenes + 1);
  const entriesAt = slopesAt + rowBytes * nSpots;
  const spotsAt = entriesAt + ENTRY * nEntries;
  const endsAt = spotsAt + 4 * stride * nSpots;
  const buffer = reserve(endsAt + 4 * nSpots);
  const ofGenes = new Float64Array(buffer, genesAt, stride * (nGenes + 1));
  const slopes = new Float64Array(buffer, slopesAt, stride * nSpots);
  const ofSpots = new Float32Array(buffer, spotsAt, stride * nSpots);
  new Uint32Array(buffer, endsAt, nSpots).set(ends.map((end) => entriesAt + ENTRY * end));
  fillEntries(counts, ends, {
    places: new Uint32Array(buffer, entriesAt, (ENTRY / 4) * nEntries),
    counts: new Float64Array(buffer, entriesAt, (ENTRY / 8) * nEntries),
    rowBytes,
  });
  const endsEnd = endsAt + 4 * nSpots;
  return {
    gradient(share) {
      ofGenes.fill(0);
      pad(share, k, ofSpots, stride);
      call.addCounts(endsAt, endsEnd, entriesAt, spotsAt, stride);
      const gradient = new Float64Array(nGenes * k);
      for (let g = 0; g < nGenes; g++) {
        for (let j = 0; j < k; j++) gradient[g * k + j] = 0 - ofGenes[g * stride + j];
      }
      return gradient;
    },
    slopes(data, rates) {
      ofGenes.fill(0);
      pad(rates, k, ofGenes, stride);
      pad(data, k, ofSpots, stride);
      call.addRatios(endsAt, endsEnd, entriesAt, spotsAt, slopesAt, stride);
      return { slopes, stride };
    },
  };
}

/** Pads rows of k numbers to rows of `stride`. */
function pad(
  from: Float32Array | Float64Array,
  k: number,
  to: Float32Array | Float64Array,
  stride: number,
): void {
  if (stride === k) {
    to.set(from);
    return;
  }
  for (let row = 0; row * k < from.length; row++) {
    for (let j = 0; j < k; j++) to[row * stride + j] = from[row * k + j];
  }
}

function fillEntries(
  { nRows: nSpots, nCols: nGenes, indptr, indices, data }: SparseMatrix,
  ends: Uint32Array,
  to: { places: Uint32Array; counts: Float64Array; rowBytes: number },
): void {
  for (let s = 0, entry = 0; s < nSpots; s++) {
    for (let n = indptr[s]; entry < ends[s]; n++, entry++) {
      const isThere = n < indptr[s + 1];
      to.places[(ENTRY / 4) * entry] = to.rowBytes * (isThere ? indices[n] : nGenes);
      to.counts[(ENTRY / 8) * entry + 1] = isThere ? data[n] : 0;
    }
  }
}
