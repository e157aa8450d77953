import type { SparseMatrix } from "../../fields.ts";
import {
  add,
  bitsAnd,
  divide,
  firsts,
  int,
  isLess,
  isMore,
  load,
  load32,
  loadFloats,
  loadTwice,
  multiply,
  openSimd,
  plus,
  repeatWhile,
  seconds,
  simdFunction,
  store,
  when,
  ZERO,
  type Code,
  type SimdFunction,
} from "../../numerics/simd/assembler.ts";

/** Entries of a spot summed in parallel. */
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

/**
 * Opens a WebAssembly kernel for sums over counts (nSpots × nGenes) with k prototypes. It handles two doubles at a
 * time, in the same order as the plain formula, so results are bit-identical.
 */
export function openSlopeKernel(counts: SparseMatrix, k: number): SlopeKernel {
  const { nRows: nSpots, nCols: nGenes, indptr } = counts;
  // Prototypes are processed in pairs; with an odd number, the padding prototype has no exposure.
  const stride = k + (k % 2);
  const { reserve, call } = openSimd([addCounts(stride), addRatios(stride)]);
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
  const run = (name: "addCounts" | "addRatios"): void => {
    if (nSpots > 0) call[name](endsAt, endsAt + 4 * nSpots, entriesAt, spotsAt, slopesAt);
  };
  return {
    gradient(share) {
      ofGenes.fill(0);
      pad(share, k, ofSpots, stride);
      run("addCounts");
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
      run("addRatios");
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

const NAMES = ["ends", "endsEnd", "entries", "spots", "slopes"] as const;

/** Adds Σ over spots of y · share to the gene rows, which start at 0. */
function addCounts(stride: number): SimdFunction {
  return simdFunction(
    "addCounts",
    NAMES.length,
    ([ends, endsEnd, entries, spots], { number, vector }): Code => {
      const shares = Array.from({ length: stride / 2 }, () => vector());
      const [at, count] = [number(), vector()];
      return repeatWhile(isLess(ends.get, endsEnd.get), [
        ...shares.flatMap((share, i) => share.set(loadFloats(spots.get, 8 * i))),
        ...when(
          isLess(entries.get, load32(ends.get)),
          repeatWhile(isLess(entries.get, load32(ends.get)), [
            ...at.set(load32(entries.get)),
            ...count.set(loadTwice(entries.get, 8)),
            ...shares.flatMap((share, i) =>
              store(at.get, add(load(at.get, 16 * i), multiply(count.get, share.get)), 16 * i),
            ),
            ...entries.set(plus(entries.get, int(ENTRY))),
          ]),
          [],
        ),
        ...spots.set(plus(spots.get, int(4 * stride))),
        ...ends.set(plus(ends.get, int(4))),
      ]);
    },
  );
}

/** Writes Σ over a spot's entries of y · rates / (data · rates) to its row of slopes. */
function addRatios(stride: number): SimdFunction {
  return simdFunction(
    "addRatios",
    NAMES.length,
    ([ends, endsEnd, entries, spots, slopes], { number, vector }): Code => {
      const sums = Array.from({ length: stride / 2 }, () => vector());
      const rows = Array.from({ length: GROUP }, () => number());
      const pairs = [0, 2].map((first) => ({
        first,
        rows: [rows[first], rows[first + 1]] as const,
        values: [vector(), vector()] as const,
        expected: vector(),
      }));
      const ratios = Array.from({ length: GROUP }, () => vector());
      const seen = vector();
      const expectCounts = sums.flatMap((_, i) => [
        ...seen.set(loadFloats(spots.get, 8 * i)),
        ...pairs.flatMap(({ rows: [one, other], values: [x, y], expected }) => [
          ...x.set(load(one.get, 16 * i)),
          ...y.set(load(other.get, 16 * i)),
          ...expected.set(
            add(expected.get, multiply(firsts(x.get, y.get), firsts(seen.get, seen.get))),
          ),
          ...expected.set(
            add(expected.get, multiply(seconds(x.get, y.get), seconds(seen.get, seen.get))),
          ),
        ]),
      ]);
      const takeRatios = pairs.flatMap(({ first, values: [x], expected }) => [
        // Counts of both entries.
        ...x.set(
          firsts(
            loadTwice(entries.get, ENTRY * first + 8),
            loadTwice(entries.get, ENTRY * (first + 1) + 8),
          ),
        ),
        ...x.set(bitsAnd(divide(x.get, expected.get), isMore(expected.get, ZERO))),
        ...ratios[first].set(firsts(x.get, x.get)),
        ...ratios[first + 1].set(seconds(x.get, x.get)),
      ]);
      const addRates = sums.flatMap((sum, i) =>
        rows.flatMap((row, e) =>
          sum.set(add(sum.get, multiply(ratios[e].get, load(row.get, 16 * i)))),
        ),
      );
      return repeatWhile(isLess(ends.get, endsEnd.get), [
        ...sums.flatMap((sum) => sum.set(ZERO)),
        ...when(
          isLess(entries.get, load32(ends.get)),
          repeatWhile(isLess(entries.get, load32(ends.get)), [
            ...rows.flatMap((row, e) => row.set(load32(plus(entries.get, int(ENTRY * e))))),
            ...pairs.flatMap(({ expected }) => expected.set(ZERO)),
            ...expectCounts,
            ...takeRatios,
            ...addRates,
            ...entries.set(plus(entries.get, int(ENTRY * GROUP))),
          ]),
          [],
        ),
        ...sums.flatMap((sum, i) => store(slopes.get, sum.get, 16 * i)),
        ...slopes.set(plus(slopes.get, int(8 * stride))),
        ...spots.set(plus(spots.get, int(4 * stride))),
        ...ends.set(plus(ends.get, int(4))),
      ]);
    },
  );
}
