import type { Matrix } from "../../fields.ts";
import type { Fields } from "../../store/in-memory.ts";
import { readResult } from "../../store/results-folder.ts";
import { openSparseRows, rowsOf, type SparseRows } from "../../store/sparse-rows.ts";

/** Counts added to observed and expected before their ratio is taken, so that rare genes are left as the model has them. */
const PSEUDO_COUNT = 10;
/** Bytes of spot residuals that `rows` keeps between calls. */
const CACHE_BYTES = 512 * 1024 * 1024;

/** Inferred expression of every cell, computed when asked for: nothing dense is stored. */
export interface Rates {
  nCells: number;
  nGenes: number;
  /** Rate of one gene in every cell (expected UMIs). O(nCells · (k + 7)). */
  column(gene: number): Float32Array;
  /**
   * Rates of cells from … to − 1, rows × nGenes (or × `genes.length`), row-major. O(rows · genes · (k + 7)).
   * Pass the same `genes` array again to keep what was computed for the spots around.
   */
  rows(from: number, to: number, genes?: Uint32Array): Float32Array;
}

/** What the rates are computed from; see the fields of step 4. */
export interface RateFactors {
  membership: Matrix<Float32Array>;
  profile: Matrix<Float32Array>;
  exposure: Matrix<Float32Array>;
  nearSpot: Matrix<Int32Array>;
  nearWeight: Matrix<Float32Array>;
  /** nSpots × nGenes. */
  spotCounts: SparseRows;
  /** nGenes × nSpots. */
  geneCounts: SparseRows;
}

/** Rates of a finished step 4 in a results folder. Holds M, B and E in memory; counts are read as needed. */
export async function openRates(results: string): Promise<Rates> {
  return ratesFrom({
    membership: await readResult(results, "cells/membership"),
    profile: await readResult(results, "genes/profile"),
    exposure: await readResult(results, "spots/exposure"),
    nearSpot: await readResult(results, "cells/near_spot"),
    nearWeight: await readResult(results, "cells/near_weight"),
    spotCounts: await openSparseRows(results, "spots/counts"),
    geneCounts: await openSparseRows(results, "genes/spots"),
  });
}

/** Rates of step 4's fields held in memory; throws when one is missing. */
export function ratesOfFields(fields: Fields): Rates {
  const get = <K extends keyof Fields>(key: K): NonNullable<Fields[K]> => {
    const value = fields[key];
    if (value === undefined) throw new Error(`${key} was not given`);
    return value as NonNullable<Fields[K]>;
  };
  return ratesFrom({
    membership: get("cells/membership"),
    profile: get("genes/profile"),
    exposure: get("spots/exposure"),
    nearSpot: get("cells/near_spot"),
    nearWeight: get("cells/near_weight"),
    spotCounts: rowsOf(get("spots/counts")),
    geneCounts: rowsOf(get("genes/spots")),
  });
}

/**
 * λ_cg · exp(Σ_s w_cs log[(y_sg + 10) / (μ_sg + 10)]) with λ = MB and μ = EB: the model's rate, moved by what the
 * spots around the cell hold beyond the model.
 */
export function ratesFrom(factors: RateFactors): Rates {
  const { membership, profile, exposure, nearSpot, nearWeight, spotCounts, geneCounts } = factors;
  const nCells = membership.nRows;
  const k = membership.nCols;
  const nGenes = profile.nCols;
  const nSpots = exposure.nRows;
  const width = nearSpot.nCols;

  function column(gene: number): Float32Array {
    const b = new Float64Array(k);
    for (let j = 0; j < k; j++) b[j] = profile.data[j * nGenes + gene];
    const residual = new Float64Array(nSpots);
    for (let s = 0; s < nSpots; s++) {
      let expected = 0;
      for (let j = 0; j < k; j++) expected += exposure.data[s * k + j] * b[j];
      residual[s] = expected;
    }
    const { indices, data } = geneCounts.row(gene);
    let e = 0;
    for (let s = 0; s < nSpots; s++) {
      const observed = indices[e] === s ? data[e++] : 0;
      residual[s] = Math.log((observed + PSEUDO_COUNT) / (residual[s] + PSEUDO_COUNT));
    }
    const rate = new Float32Array(nCells);
    for (let c = 0; c < nCells; c++) {
      let lambda = 0;
      for (let j = 0; j < k; j++) lambda += membership.data[c * k + j] * b[j];
      let shift = 0;
      for (let n = c * width; n < (c + 1) * width; n++) {
        const s = nearSpot.data[n];
        if (s >= 0) shift += nearWeight.data[n] * residual[s];
      }
      rate[c] = lambda * Math.exp(shift);
    }
    return rate;
  }

  const everyGene: Uint32Array = Uint32Array.from({ length: nGenes }, (_, g) => g);
  let cacheGenes = everyGene;
  let cacheProfile = profile.data;
  let position: Int32Array | null = null;
  const cache = new Map<number, Float32Array>();

  function select(genes: Uint32Array): void {
    if (genes === cacheGenes) return;
    cache.clear();
    cacheGenes = genes;
    cacheProfile = new Float32Array(k * genes.length);
    position = new Int32Array(nGenes).fill(-1);
    genes.forEach((gene, at) => {
      position![gene] = at;
      for (let j = 0; j < k; j++) {
        cacheProfile[j * genes.length + at] = profile.data[j * nGenes + gene];
      }
    });
  }

  function spotResidual(s: number): Float32Array {
    const known = cache.get(s);
    if (known) return known;
    const n = cacheGenes.length;
    const row = new Float32Array(n);
    for (let j = 0; j < k; j++) {
      const e = exposure.data[s * k + j];
      if (e === 0) continue;
      for (let g = 0; g < n; g++) row[g] += e * cacheProfile[j * n + g];
    }
    const observed = new Float32Array(n);
    const { indices, data } = spotCounts.row(s);
    for (let i = 0; i < indices.length; i++) {
      const at = position ? position[indices[i]] : indices[i];
      if (at >= 0) observed[at] = data[i];
    }
    for (let g = 0; g < n; g++) {
      row[g] = Math.log((observed[g] + PSEUDO_COUNT) / (row[g] + PSEUDO_COUNT));
    }
    if ((cache.size + 1) * n * 4 > CACHE_BYTES) cache.delete(cache.keys().next().value!);
    cache.set(s, row);
    return row;
  }

  function rows(from: number, to: number, genes: Uint32Array = everyGene): Float32Array {
    if (genes === everyGene && cacheGenes !== everyGene) {
      cache.clear();
      cacheGenes = everyGene;
      cacheProfile = profile.data;
      position = null;
    }
    select(genes);
    const n = genes.length;
    const out = new Float32Array((to - from) * n);
    const shift = new Float32Array(n);
    for (let c = from; c < to; c++) {
      const at = (c - from) * n;
      for (let j = 0; j < k; j++) {
        const m = membership.data[c * k + j];
        // Memberships this small cannot be seen in float32 sums.
        if (m < 1e-8) continue;
        for (let g = 0; g < n; g++) out[at + g] += m * cacheProfile[j * n + g];
      }
      shift.fill(0);
      for (let i = c * width; i < (c + 1) * width; i++) {
        const s = nearSpot.data[i];
        const w = nearWeight.data[i];
        if (s < 0 || w === 0) continue;
        const residual = spotResidual(s);
        for (let g = 0; g < n; g++) shift[g] += w * residual[g];
      }
      for (let g = 0; g < n; g++) out[at + g] *= Math.exp(shift[g]);
    }
    return out;
  }

  return { nCells, nGenes, column, rows };
}
