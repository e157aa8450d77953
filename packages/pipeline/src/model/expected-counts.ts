import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { PartReader } from "./part-reader.ts";
import type { SparseRows } from "@stipple/numerics/sparse-rows";
import { transpose } from "@stipple/numerics/sparse";
import { evidenceOf } from "./evidence.ts";
import { sharingCells } from "./sharing-cells.ts";
import { openSpotRates, type ModelFactors } from "./spot-rates.ts";

/** Consecutive rows of a sparse matrix. */
export interface RowBlock {
  /** Entries per row. */
  lengths: Uint32Array;
  /** Columns, ascending within a row. */
  indices: Int32Array;
  values: Float32Array;
}

/** The observed UMIs allocated as the model expects: the counts before they are turned into integers. */
export interface ExpectedCounts {
  nCells: number;
  nGenes: number;
  /** The inputs, except the counts. */
  parts: ExpectedParts;
  /** The smallest share of a spot's count to keep so that there are at most about this many entries; 0 = keep all. */
  leastFor(maxEntries: number): number;
  /**
   * Rows of cells from … to − 1. Shares of a spot's count below `least` UMIs go to the other cells of the spot, so that
   * the sum for every gene and spot remains the observed count. The result is in memory that the next call reuses.
   */
  rows(from: number, to: number, least: number): RowBlock;
}

/** Inputs for computing e, except the counts. */
export interface ExpectedParts extends ModelFactors {
  /** nSpots × nCells: see {@link sharingCells}. */
  sharing: SparseMatrix;
}

/** Inputs for computing e. */
export interface ExpectedFactors extends ExpectedParts {
  /** nSpots × nGenes; the genes of a spot ascend. */
  spotCounts: SparseRows;
}

/** Each cell's share of a spot's counts, in the order of the spot's genes. */
interface SpotShares {
  /** nShared + 1: start of each cell's shares in the room. */
  starts: Uint32Array;
  room: ShareRoom;
  least: number;
}

/** Memory for the shares of many spots: separate arrays for each would keep the garbage collector running. */
interface ShareRoom {
  genes: Uint32Array;
  counts: Float64Array;
  filled: number;
  spots: number[];
}

/** How a spot's counts are shared, in memory that the next spot reuses. */
interface SpotWeights {
  genes: Uint32Array;
  counts: Float32Array;
  /** A λ, cells of the spot × genes. */
  weight: Float64Array;
  /** Smallest A λ to keep. */
  floor: Float64Array;
  /** Σ A λ over the cells of the spot. */
  sum: Float64Array;
  /** Σ A over the cells of the spot. */
  capture: number;
}

/** Shares per room, and number of rooms: a quarter of a gigabyte kept for further cells of the same spots. */
const ROOM_SHARES = 1 << 20;
const MAX_ROOMS = 22;
/** Entries that `leastFor` samples. */
const SAMPLED_ENTRIES = 1_000_000;

/** Opens the field view cells/allocated. Keeps M, B, and A in memory; counts are read as needed. */
export async function openExpectedCounts({ read, rows }: PartReader): Promise<ExpectedCounts> {
  const membership = await read("cells/membership");
  const profile = await read("genes/profile");
  return expectedCounts({
    sharing: sharingCells({
      evidence: evidenceOf(await read("sample/segmentation"), await read("sample/scale")),
      overlap: await read("spots/cells"),
      observed: await read("cells/observed"),
      spotOf: await read("cells/spot"),
    }),
    membership: membership.data,
    profile: profile.data,
    k: membership.nCols,
    nGenes: profile.nCols,
    spotCounts: await rows("spots/counts"),
  });
}

/**
 * e_cg = Σ_s y_sg A_sc λ_cg / Σ_c' A_sc' λ_c'g with λ = MB; if the model gives a gene no rate in any cell of the spot,
 * its counts are shared by A alone. O(genes of the spot × prototypes of a cell) per entry of A.
 */
export function expectedCounts(factors: ExpectedFactors): ExpectedCounts {
  const { spotCounts: _counts, ...parts } = factors;
  const { sharing, nGenes } = parts;
  const weigh = openWeights(factors);
  return {
    nCells: sharing.nCols,
    nGenes,
    parts,
    leastFor: (maxEntries) => leastShare(factors, weigh, maxEntries),
    rows: openRows(sharing, nGenes, openShares(sharing, nGenes, weigh)),
  };
}

type Weigh = (spot: number, least: number) => SpotWeights;

/** Opens the weights by which a spot's counts are shared. */
function openWeights({ spotCounts, ...parts }: ExpectedFactors): Weigh {
  const { sharing, nGenes } = parts;
  const ratesInSpot = openSpotRates(parts, sharing);
  const floor = new Float64Array(nGenes);
  const sum = new Float64Array(nGenes);
  const most = new Float64Array(nGenes);
  return (spot, least) => {
    const { indices: genes, data: counts } = spotCounts.row(spot);
    const n = genes.length;
    const first = sharing.indptr[spot];
    const nShared = sharing.indptr[spot + 1] - first;
    const weight = ratesInSpot(spot, genes);
    sum.fill(0, 0, n);
    most.fill(0, 0, n);
    let capture = 0;
    for (let c = 0; c < nShared; c++) {
      const own = sharing.data[first + c];
      capture += own;
      weighCell(weight, c * n, n, own, sum, most);
    }
    floor.fill(0, 0, n);
    if (least > 0) {
      for (let i = 0; i < n; i++) floor[i] = Math.min(most[i], (least * sum[i]) / counts[i]);
    }
    return { genes, counts, weight, floor, sum, capture };
  };
}

/** Opens the rooms of shares. The result makes room for n more shares by evicting the oldest spots. */
function openRooms(kept: Map<number, SpotShares>): (n: number) => ShareRoom {
  const rooms: ShareRoom[] = [];
  return (n) => {
    const last = rooms.at(-1);
    if (last && last.filled + n <= last.genes.length) return last;
    let next = rooms.length < MAX_ROOMS ? undefined : rooms.shift()!;
    for (const spot of next?.spots ?? []) if (kept.get(spot)?.room === next) kept.delete(spot);
    if (!next || next.genes.length < n) {
      const length = Math.max(ROOM_SHARES, n);
      next = {
        genes: new Uint32Array(length),
        counts: new Float64Array(length),
        filled: 0,
        spots: [],
      };
    }
    next.filled = 0;
    next.spots = [];
    rooms.push(next);
    return next;
  };
}

/** Opens the shares of spots. Only those to keep, a small part of all, are stored for the other cells of the spot. */
function openShares(
  sharing: SparseMatrix,
  nGenes: number,
  weigh: Weigh,
): (spot: number, least: number) => SpotShares {
  const kept = new Map<number, SpotShares>();
  const roomFor = openRooms(kept);
  const factor = new Float64Array(nGenes);
  const remaining = new Float64Array(nGenes);
  return (spot, least) => {
    const known = kept.get(spot);
    if (known?.least === least) return known;
    const { genes, counts, weight, floor, sum, capture } = weigh(spot, least);
    const first = sharing.indptr[spot];
    const nShared = sharing.indptr[spot + 1] - first;
    const n = genes.length;
    const room = roomFor(nShared * n);
    const starts = new Uint32Array(nShared + 1);
    // First collect the weights to keep, by index among the spot's genes; then scale them by their sum over all cells.
    let taken = room.filled;
    remaining.fill(0, 0, n);
    for (let c = 0; c < nShared; c++) {
      starts[c] = taken;
      taken = takeKept(weight, c * n, floor, n, remaining, room, taken);
    }
    starts[nShared] = taken;
    factorsOf(counts, least > 0 ? remaining : sum, capture, factor, n);
    let to = room.filled;
    for (let c = 0; c < nShared; c++) {
      const [from, end] = [starts[c], starts[c + 1]];
      starts[c] = to;
      to = scaleKept(room, from, end, factor, sharing.data[first + c], genes, to);
    }
    starts[nShared] = to;
    room.filled = to;
    room.spots.push(spot);
    const shares = { starts, room, least };
    kept.set(spot, shares);
    return shares;
  };
}

/** Opens the rows of cells. */
function openRows(
  sharing: SparseMatrix,
  nGenes: number,
  sharesOf: (spot: number, least: number) => SpotShares,
): ExpectedCounts["rows"] {
  const placesOf = transpose({ ...sharing, data: placesInRows(sharing) });
  const total = new Float64Array(nGenes);
  /** One bit per gene: whether the current cell gets any of it. */
  const given = new Int32Array(Math.ceil(nGenes / 32));
  let block = { indices: new Int32Array(0), values: new Float32Array(0) };

  /** Makes room for one more cell. */
  function reserve(n: number): void {
    if (n + nGenes <= block.indices.length) return;
    const before = block;
    const length = 2 * n + nGenes;
    block = { indices: new Int32Array(length), values: new Float32Array(length) };
    block.indices.set(before.indices.subarray(0, n));
    block.values.set(before.values.subarray(0, n));
  }

  /** Adds up a cell's shares of several spots from the n-th place of the block on; returns the end. */
  function addUp(first: number, end: number, least: number, n: number): number {
    for (let e = first; e < end; e++) {
      const { starts, room } = sharesOf(placesOf.indices[e], least);
      const { genes, counts } = room;
      const place = placesOf.data[e];
      for (let at = starts[place]; at < starts[place + 1]; at++) {
        const gene = genes[at];
        total[gene] += counts[at];
        given[gene >>> 5] |= 1 << (gene & 31);
      }
    }
    for (let word = 0; word < given.length; word++) {
      for (let bits = given[word]; bits !== 0; bits &= bits - 1) {
        const gene = 32 * word + 31 - Math.clz32(bits & -bits);
        block.indices[n] = gene;
        block.values[n++] = total[gene];
        total[gene] = 0;
      }
      given[word] = 0;
    }
    return n;
  }

  return (from, to, least) => {
    const lengths = new Uint32Array(to - from);
    let n = 0;
    for (let cell = from; cell < to; cell++) {
      const start = n;
      reserve(n);
      const [first, end] = [placesOf.indptr[cell], placesOf.indptr[cell + 1]];
      if (end - first === 1) {
        const only = sharesOf(placesOf.indices[first], least);
        const place = placesOf.data[first];
        const [begins, ends] = [only.starts[place], only.starts[place + 1]];
        block.indices.set(only.room.genes.subarray(begins, ends), n);
        block.values.set(only.room.counts.subarray(begins, ends), n);
        n += ends - begins;
      } else if (end > first) n = addUp(first, end, least, n);
      lengths[cell - from] = n - start;
    }
    return { lengths, indices: block.indices.subarray(0, n), values: block.values.subarray(0, n) };
  };
}

/** The share that leaves about `maxEntries` entries, from a sample of the spots. */
function leastShare(
  { sharing, spotCounts, nGenes }: ExpectedFactors,
  weigh: Weigh,
  maxEntries: number,
): number {
  let entries = 0;
  const perSpot = Float64Array.from({ length: sharing.nRows }, (_, spot) => {
    const cells = sharing.indptr[spot + 1] - sharing.indptr[spot];
    const n = cells > 0 ? cells * spotCounts.row(spot).indices.length : 0;
    entries += n;
    return n;
  });
  if (entries <= maxEntries) return 0;
  const step = Math.ceil(entries / SAMPLED_ENTRIES);
  const sample: number[] = [];
  const factor = new Float64Array(nGenes);
  for (let spot = 0; spot < sharing.nRows; spot += step) {
    if (perSpot[spot] === 0) continue;
    const { genes, counts, weight, sum, capture } = weigh(spot, 0);
    factorsOf(counts, sum, capture, factor, genes.length);
    for (let at = 0; at < weight.length; at++) {
      sample.push(Math.max(0, factor[at % genes.length]) * weight[at]);
    }
  }
  const sorted = Float64Array.from(sample).sort();
  const kept = Math.floor((0.98 * sorted.length * maxEntries) / entries);
  return sorted[Math.max(0, sorted.length - kept)];
}

// Each of these functions handles one cell and is called constantly, so V8 keeps its compiled code.

/** Turns a cell's λ into A λ and adds it to the sums. */
function weighCell(
  weight: Float64Array,
  from: number,
  n: number,
  capture: number,
  sum: Float64Array,
  most: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    const own = capture * weight[from + i];
    weight[from + i] = own;
    sum[i] += own;
    if (own > most[i]) most[i] = own;
  }
}

/** Copies a cell's weights to keep into the room, by index among the spot's genes; returns the end. */
function takeKept(
  weight: Float64Array,
  from: number,
  floor: Float64Array,
  n: number,
  remaining: Float64Array,
  { genes, counts }: ShareRoom,
  to: number,
): number {
  for (let i = 0; i < n; i++) {
    const own = weight[from + i];
    if (!(own >= floor[i])) continue;
    remaining[i] += own;
    genes[to] = i;
    counts[to++] = own;
  }
  return to;
}

/** y / Σ A λ over the cells that are kept; a negative factor marks a gene shared by capture alone. */
function factorsOf(
  counts: Float32Array,
  remaining: Float64Array,
  capture: number,
  factor: Float64Array,
  n: number,
): void {
  for (let i = 0; i < n; i++) {
    factor[i] = remaining[i] > 0 ? counts[i] / remaining[i] : -counts[i] / capture;
  }
}

/** Converts a cell's kept weights into counts of genes, written from `to` on; returns the end. */
function scaleKept(
  room: ShareRoom,
  from: number,
  end: number,
  factor: Float64Array,
  capture: number,
  genes: Uint32Array,
  to: number,
): number {
  for (let at = from; at < end; at++) {
    const i = room.genes[at];
    const count = factor[i] < 0 ? -factor[i] * capture : factor[i] * room.counts[at];
    if (!(count > 0)) continue;
    room.genes[to] = genes[i];
    room.counts[to++] = count;
  }
  return to;
}

/** Index of each entry within its row. */
function placesInRows({ nRows, indptr, indices }: SparseMatrix): Float32Array {
  const places = new Float32Array(indices.length);
  for (let row = 0; row < nRows; row++) {
    for (let e = indptr[row]; e < indptr[row + 1]; e++) places[e] = e - indptr[row];
  }
  return places;
}
