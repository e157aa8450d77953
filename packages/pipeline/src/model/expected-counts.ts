import type { SparseMatrix } from "../fields.ts";
import type { PartReader } from "../store/views.ts";
import type { SparseRows } from "../store/sparse-rows.ts";
import { transpose } from "../numerics/sparse.ts";
import { leadingMembers } from "./leading-members.ts";
import { sharingCells } from "./sharing-cells.ts";

/** Rows of a sparse matrix one after the other. */
export interface RowBlock {
  /** Entries of each row. */
  lengths: Uint32Array;
  /** Columns, ascending within a row. */
  indices: Int32Array;
  values: Float32Array;
}

/** The observed UMIs as the model expects them to be allocated: the counts before they are made integers. */
export interface ExpectedCounts {
  nCells: number;
  nGenes: number;
  /** The least share of a spot's count that is kept so that there are at most about this many entries; 0 = all are. */
  leastFor(maxEntries: number): number;
  /**
   * Rows of cells from … to − 1. Shares of a spot's count below `least` UMIs are left to the other cells of the spot, so
   * that for every gene and spot the sum stays what was counted.
   */
  rows(from: number, to: number, least: number): RowBlock;
}

/** What e is computed from. */
export interface ExpectedFactors {
  /** nSpots × nCells: see {@link sharingCells}. */
  sharing: SparseMatrix;
  /** M, nCells × k, and B, k × nGenes. */
  membership: Float32Array;
  profile: Float32Array;
  k: number;
  nGenes: number;
  /** nSpots × nGenes. */
  spotCounts: SparseRows;
}

/** How a spot's counts are shared, in the order of its genes. */
interface SpotShares {
  genes: Uint32Array;
  /** y / Σ A λ over the cells that are kept. */
  factor: Float64Array;
  /** Least A λ that is kept. */
  floor: Float64Array;
  least: number;
}

/** Bytes of shares that are kept for the next cells of the same spots. */
const CACHE_BYTES = 256 * 1024 * 1024;
/** Entries that `leastFor` looks at. */
const SAMPLED_ENTRIES = 1_000_000;

/** Opens the field view cells/allocated. Holds M, B and A in memory; counts are read as needed. */
export async function openExpectedCounts({ read, rows }: PartReader): Promise<ExpectedCounts> {
  const membership = await read("cells/membership");
  const profile = await read("genes/profile");
  return expectedCounts({
    sharing: sharingCells({
      scale: await read("sample/scale"),
      segmentation: await read("sample/segmentation"),
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
 * e_cg = Σ_s y_sg A_sc λ_cg / Σ_c' A_sc' λ_c'g with λ = MB; where the model gives a gene no rate in any cell of the spot,
 * shared by A alone. O(genes of the spot × prototypes of a cell) an entry of A, twice.
 */
export function expectedCounts(factors: ExpectedFactors): ExpectedCounts {
  const { sharing, profile, nGenes, spotCounts } = factors;
  const nCells = sharing.nCols;
  const members = leadingMembers(factors.membership, factors.k);
  const spotsOf = transpose(sharing);
  const cache = new Map<number, SpotShares>();
  let cached = 0;
  let scratch = new Float64Array(0);

  /** A λ of one cell for some genes. */
  function weigh(cell: number, capture: number, genes: Uint32Array): Float64Array {
    if (scratch.length < genes.length) scratch = new Float64Array(genes.length);
    const out = scratch.subarray(0, genes.length).fill(0);
    for (let m = members.indptr[cell]; m < members.indptr[cell + 1]; m++) {
      const share = capture * members.data[m];
      const at = members.indices[m] * nGenes;
      for (let i = 0; i < genes.length; i++) out[i] += share * profile[at + genes[i]];
    }
    return out;
  }

  function sharesOf(spot: number, least: number): SpotShares {
    const known = cache.get(spot);
    if (known?.least === least) return known;
    const { indices: genes, data: counts } = spotCounts.row(spot);
    const n = genes.length;
    const sum = new Float64Array(n);
    const most = new Float64Array(n);
    const [first, end] = [sharing.indptr[spot], sharing.indptr[spot + 1]];
    for (let e = first; e < end; e++) {
      const weight = weigh(sharing.indices[e], sharing.data[e], genes);
      for (let i = 0; i < n; i++) {
        sum[i] += weight[i];
        if (weight[i] > most[i]) most[i] = weight[i];
      }
    }
    const floor = new Float64Array(n);
    let kept = sum;
    if (least > 0) {
      kept = new Float64Array(n);
      for (let i = 0; i < n; i++) floor[i] = Math.min(most[i], (least * sum[i]) / counts[i]);
      for (let e = first; e < end; e++) {
        const weight = weigh(sharing.indices[e], sharing.data[e], genes);
        for (let i = 0; i < n; i++) if (weight[i] >= floor[i]) kept[i] += weight[i];
      }
    }
    let capture = 0;
    for (let e = first; e < end; e++) capture += sharing.data[e];
    // A negative factor says that the gene is shared by capture alone.
    const factor = kept.map((total, i) => (total > 0 ? counts[i] / total : -counts[i] / capture));
    const shares = { genes, factor, floor, least };
    cache.set(spot, shares);
    cached += 20 * n;
    while (cached > CACHE_BYTES) {
      const [oldest, { genes: held }] = cache.entries().next().value!;
      cached -= 20 * held.length;
      cache.delete(oldest);
    }
    return shares;
  }

  const total = new Float64Array(nGenes);

  /** Adds what a spot gives to a cell. */
  function addShares(cell: number, capture: number, spot: number, least: number): void {
    const { genes, factor, floor } = sharesOf(spot, least);
    const weight = weigh(cell, capture, genes);
    for (let i = 0; i < genes.length; i++) {
      if (factor[i] < 0) total[genes[i]] -= factor[i] * capture;
      else if (weight[i] >= floor[i]) total[genes[i]] += factor[i] * weight[i];
    }
  }

  function rows(from: number, to: number, least: number): RowBlock {
    const lengths = new Uint32Array(to - from);
    const indices = new Int32Array((to - from) * nGenes);
    const values = new Float32Array((to - from) * nGenes);
    let n = 0;
    for (let cell = from; cell < to; cell++) {
      const start = n;
      for (let e = spotsOf.indptr[cell]; e < spotsOf.indptr[cell + 1]; e++) {
        addShares(cell, spotsOf.data[e], spotsOf.indices[e], least);
      }
      for (let gene = 0; gene < nGenes; gene++) {
        if (!(total[gene] > 0)) continue;
        indices[n] = gene;
        values[n++] = total[gene];
        total[gene] = 0;
      }
      lengths[cell - from] = n - start;
    }
    return { lengths, indices: indices.subarray(0, n), values: values.subarray(0, n) };
  }

  function leastFor(maxEntries: number): number {
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
      const { genes, factor } = sharesOf(spot, 0);
      for (let e = sharing.indptr[spot]; e < sharing.indptr[spot + 1]; e++) {
        const weight = weigh(sharing.indices[e], sharing.data[e], genes);
        for (let i = 0; i < genes.length; i++) sample.push(Math.max(0, factor[i]) * weight[i]);
      }
    }
    const sorted = Float64Array.from(sample).sort();
    const kept = Math.floor((0.98 * sorted.length * maxEntries) / entries);
    return sorted[Math.max(0, sorted.length - kept)];
  }

  return { nCells, nGenes, leastFor, rows };
}
