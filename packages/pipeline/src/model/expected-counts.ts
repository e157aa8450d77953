import type { SparseMatrix } from "@stipple/numerics/matrices";
import type { PartReader } from "./part-reader.ts";
import type { SparseRows } from "@stipple/numerics/sparse-rows";
import { columnStarts, transpose } from "@stipple/numerics/sparse";
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
  thresholdFor(maxEntries: number): number;
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

/** How a spot's counts are shared, in memory that the next spot reuses. */
interface SpotWeights {
  genes: Uint32Array;
  /** A λ, cells of the spot × genes. */
  weight: Float64Array;
  /** Smallest A λ to keep. */
  floor: Float64Array;
  /** y / Σ A λ over the cells that are kept; a negative factor −y / Σ A marks a gene shared by capture alone. */
  factor: Float64Array;
}

/** Entries that `thresholdFor` samples. */
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
    thresholdFor: (maxEntries) => shareThreshold(factors, weigh, maxEntries),
    rows: openRows(sharing, nGenes, openShares(sharing, weigh)),
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
  const factor = new Float64Array(nGenes);
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
      sum.fill(0, 0, n);
      for (let c = 0; c < nShared; c++) addKept(weight, c * n, n, floor, sum);
    }
    for (let i = 0; i < n; i++) factor[i] = sum[i] > 0 ? counts[i] / sum[i] : -counts[i] / capture;
    return { genes, weight, floor, factor };
  };
}

/** Shares of spots' counts, by the places of spots in the rows of cells. */
interface Shares {
  starts: Uint32Array;
  ends: Uint32Array;
  genes: Uint32Array;
  counts: Float64Array;
}

/**
 * Opens the shares of cells from … to − 1 in their spots' counts. Only what is kept, a small part of all, is stored, in
 * memory that the next call reuses: arrays for each spot would keep the garbage collector running.
 */
function openShares(
  sharing: SparseMatrix,
  weigh: Weigh,
): (from: number, to: number, least: number) => Shares {
  const { indptr, indices: spots } = transpose(sharing);
  const placeOf = placesInTranspose(sharing);
  let genes = new Uint32Array(0);
  let counts = new Float64Array(0);
  return (from, to, least) => {
    const [first, end] = [indptr[from], indptr[to]];
    const [starts, ends] = [new Uint32Array(end - first), new Uint32Array(end - first)];
    let n = 0;
    for (const spot of new Set(spots.subarray(first, end))) {
      const weights = weigh(spot, least);
      for (let e = sharing.indptr[spot], c = 0; e < sharing.indptr[spot + 1]; e++, c++) {
        if (sharing.indices[e] < from || sharing.indices[e] >= to) continue;
        genes = withCapacity(genes, n + weights.genes.length);
        counts = withCapacity(counts, n + weights.genes.length);
        starts[placeOf[e] - first] = n;
        n = takeKept(weights, c, sharing.data[e], genes, counts, n);
        ends[placeOf[e] - first] = n;
      }
    }
    return { starts, ends, genes, counts };
  };
}

/** Opens the rows of cells. */
function openRows(
  sharing: SparseMatrix,
  nGenes: number,
  sharesOf: (from: number, to: number, least: number) => Shares,
): ExpectedCounts["rows"] {
  const spotsOf = columnStarts(sharing);
  const total = new Float64Array(nGenes);
  /** One bit per gene: whether the current cell gets any of it. */
  const given = new Int32Array(Math.ceil(nGenes / 32));
  let indices = new Int32Array(0);
  let values = new Float32Array(0);

  /** Adds up a cell's shares of several spots from the n-th place of the block on; returns the end. */
  function addUp({ starts, ends, genes, counts }: Shares, first: number, end: number, n: number) {
    for (let place = first; place < end; place++) {
      for (let at = starts[place]; at < ends[place]; at++) {
        const gene = genes[at];
        total[gene] += counts[at];
        given[gene >>> 5] |= 1 << (gene & 31);
      }
    }
    for (let word = 0; word < given.length; word++) {
      for (let bits = given[word]; bits !== 0; bits &= bits - 1) {
        const gene = 32 * word + 31 - Math.clz32(bits & -bits);
        indices[n] = gene;
        values[n++] = total[gene];
        total[gene] = 0;
      }
      given[word] = 0;
    }
    return n;
  }

  return (from, to, least) => {
    const shares = sharesOf(from, to, least);
    const most = shares.ends.reduce((a, b) => Math.max(a, b), 0);
    indices = withCapacity(indices, most);
    values = withCapacity(values, most);
    const lengths = new Uint32Array(to - from);
    let n = 0;
    for (let cell = from; cell < to; cell++) {
      const start = n;
      const [first, end] = [spotsOf[cell] - spotsOf[from], spotsOf[cell + 1] - spotsOf[from]];
      if (end - first === 1) {
        const [begins, ends] = [shares.starts[first], shares.ends[first]];
        indices.set(shares.genes.subarray(begins, ends), n);
        values.set(shares.counts.subarray(begins, ends), n);
        n += ends - begins;
      } else n = addUp(shares, first, end, n);
      lengths[cell - from] = n - start;
    }
    return { lengths, indices: indices.subarray(0, n), values: values.subarray(0, n) };
  };
}

/** The share that leaves about `maxEntries` entries, from a sample of the spots. */
function shareThreshold(
  { sharing, spotCounts }: ExpectedFactors,
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
  for (let spot = 0; spot < sharing.nRows; spot += step) {
    if (perSpot[spot] === 0) continue;
    const { genes, weight, factor } = weigh(spot, 0);
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

/** Adds a cell's A λ to the sums where they are kept. */
function addKept(
  weight: Float64Array,
  from: number,
  n: number,
  floor: Float64Array,
  sum: Float64Array,
): void {
  for (let i = 0; i < n; i++) if (weight[from + i] >= floor[i]) sum[i] += weight[from + i];
}

/** Writes the c-th cell's share of the genes in a spot, as far as it is kept, from `to` on; returns the end. */
function takeKept(
  { genes: ofSpot, weight, floor, factor }: SpotWeights,
  c: number,
  capture: number,
  genes: Uint32Array,
  counts: Float64Array,
  to: number,
): number {
  const n = ofSpot.length;
  for (let i = 0, at = c * n; i < n; i++, at++) {
    if (!(weight[at] >= floor[i])) continue;
    const count = factor[i] < 0 ? -factor[i] * capture : factor[i] * weight[at];
    if (!(count > 0)) continue;
    genes[to] = ofSpot[i];
    counts[to++] = count;
  }
  return to;
}

/** Place of each entry in the transpose. */
function placesInTranspose(matrix: SparseMatrix): Uint32Array {
  const next = columnStarts(matrix);
  return matrix.indices.map((column) => next[column]++);
}

/** The array, or a larger one with the same values. */
function withCapacity<T extends Uint32Array | Int32Array | Float32Array | Float64Array>(
  array: T,
  length: number,
): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(2 * length);
  larger.set(array);
  return larger;
}
