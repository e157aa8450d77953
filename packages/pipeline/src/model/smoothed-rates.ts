import { RATE_SOURCES } from "@stipple/contract";
import type { Matrix } from "@stipple/numerics/matrices";
import type { SparseRow } from "@stipple/numerics/sparse-rows";
import { prototypeTotals, timesPrototypes } from "./prototype-sums.ts";

const MODEL = RATE_SOURCES.indexOf("model");
const SPOT = RATE_SOURCES.indexOf("spot");
/** Spots whose counts of some genes are cached: those around a few adjacent cells. */
const CACHED_SPOTS = 256;

/** Inputs for computing the rates that do not come from the model; see the fields of step 4. */
export interface SmoothedFactors {
  membership: Matrix<Float32Array>;
  profile: Matrix<Float32Array>;
  nearSpot: Matrix<Int32Array>;
  nearWeight: Matrix<Float32Array>;
  /** UMIs of every spot. */
  spotTotals: ArrayLike<number>;
  /** Index into RATE_SOURCES, one per gene. */
  source: Uint8Array;
}

/**
 * Rates of the genes for which the model loses on held-out spots: their shares in the surrounding spots, scaled to the
 * cell's UMIs.
 */
export interface SmoothedRates {
  /** Whether the gene is one of them. */
  has(gene: number): boolean;
  /** Whether the cell has a spot within reach; without one it keeps the model's rates. */
  reaches(cell: number): boolean;
  /**
   * Replaces the model's rates of one gene in all cells, given the gene's counts in spots. O(nCells · spots around).
   */
  fillColumn(gene: number, seen: SparseRow, rate: Float32Array): void;
  /**
   * Replaces the model's rates of one cell, given Σ_s w_cs y_sg for every gene. `genes`: the genes in the order of the
   * row; `placeOf`: the position of each gene (null = its own index).
   */
  fillRow(
    cell: number,
    around: Float32Array,
    rate: Float32Array,
    choice: { genes: Uint32Array; placeOf: Int32Array | null },
    readSpot: (spot: number) => SparseRow,
  ): void;
}

/**
 * A cell's total in the model, R_c = Σ_g λ_cg, times the gene's share of the UMIs around it, Σ_s w_cs y_sg / Σ_s w_cs
 * T_s, or of the nearest spot alone, y_sg / T_s. Cells without a spot within reach keep the model's rate. Null if the
 * rates of all genes come from the model; that case costs nothing.
 */
export function smoothedRates(factors: SmoothedFactors): SmoothedRates | null {
  const { source, nearSpot, nearWeight } = factors;
  if (source.every((value) => value === MODEL)) return null;
  const width = nearSpot.nCols;
  const { ofAll, ofNearest } = scalesOf(factors);
  const near = nearSpot.data;
  const weight = nearWeight.data;
  /** One gene's counts in all spots, zero between calls: megabytes on slides of bins, allocated once for all genes. */
  const seen = new Float32Array(factors.spotTotals.length);
  let places = {
    genes: new Uint32Array(0),
    interpolated: new Uint32Array(0),
    fromSpot: new Uint32Array(0),
  };
  /** Positions of the genes that do not come from the model; the same genes are requested again and again. */
  function placesOf(genes: Uint32Array): typeof places {
    if (genes === places.genes) return places;
    const all = Uint32Array.from(genes.keys());
    const fromSpot = all.filter((at) => source[genes[at]] === SPOT);
    const interpolated = all.filter((at) => ![MODEL, SPOT].includes(source[genes[at]]));
    return (places = { genes: genes as typeof places.genes, interpolated, fromSpot });
  }
  const spotRows = new Map<number, SparseRow>();
  /**
   * A spot's counts of the genes that use the nearest spot: often few of thousands, and the same for dozens of cells.
   */
  function ofSpotGenes(spot: number, readSpot: (spot: number) => SparseRow): SparseRow {
    const known = spotRows.get(spot);
    if (known) return known;
    const row = entriesOf(readSpot(spot), source);
    if (spotRows.size >= CACHED_SPOTS) spotRows.clear();
    spotRows.set(spot, row);
    return row;
  }
  return {
    has: (gene) => source[gene] !== MODEL,
    reaches: (cell) => ofAll[cell] !== 0,
    fillColumn(gene, { indices, data }, rate) {
      for (let e = 0; e < indices.length; e++) seen[indices[e]] = data[e];
      const nearest = source[gene] === SPOT;
      for (let c = 0; c < rate.length; c++) {
        if (ofAll[c] === 0) continue;
        if (nearest) {
          rate[c] = seen[near[c * width]] * ofNearest[c];
          continue;
        }
        let sum = 0;
        for (let n = c * width; n < (c + 1) * width; n++) {
          if (near[n] >= 0) sum += weight[n] * seen[near[n]];
        }
        rate[c] = sum * ofAll[c];
      }
      for (let e = 0; e < indices.length; e++) seen[indices[e]] = 0;
    },
    fillRow(cell, around, rate, { genes, placeOf }, readSpot) {
      if (ofAll[cell] === 0) return;
      const { interpolated, fromSpot } = placesOf(genes);
      for (const at of interpolated) rate[at] = around[at] * ofAll[cell];
      for (const at of fromSpot) rate[at] = 0;
      if (fromSpot.length === 0) return;
      const { indices, data } = ofSpotGenes(near[cell * width], readSpot);
      for (let e = 0; e < indices.length; e++) {
        const at = placeOf ? placeOf[indices[e]] : indices[e];
        if (at >= 0) rate[at] = data[e] * ofNearest[cell];
      }
    },
  };
}

/** A spot's counts of the genes that use the nearest spot. */
function entriesOf({ indices, data }: SparseRow, source: Uint8Array): SparseRow {
  const kept = { indices: new Uint32Array(indices.length), data: new Float32Array(data.length) };
  let n = 0;
  for (let e = 0; e < indices.length; e++) {
    if (source[indices[e]] !== SPOT) continue;
    kept.indices[n] = indices[e];
    kept.data[n++] = data[e];
  }
  return { indices: kept.indices.subarray(0, n), data: kept.data.subarray(0, n) };
}

/**
 * Factors that convert counts around a cell, and those of the nearest spot, to UMIs of the cell; 0 if no spot is within
 * reach.
 */
function scalesOf(factors: SmoothedFactors): {
  ofAll: Float32Array;
  ofNearest: Float32Array;
} {
  const { membership, profile, nearSpot, nearWeight, spotTotals } = factors;
  const total = timesPrototypes(membership.data, prototypeTotals(profile.data, membership.nCols));
  const nCells = membership.nRows;
  const width = nearSpot.nCols;
  const ofAll = new Float32Array(nCells);
  const ofNearest = new Float32Array(nCells);
  for (let c = 0; c < nCells; c++) {
    let counted = 0;
    for (let n = c * width; n < (c + 1) * width; n++) {
      const spot = nearSpot.data[n];
      if (spot >= 0) counted += nearWeight.data[n] * spotTotals[spot];
    }
    const nearest = nearSpot.data[c * width];
    if (!(counted > 0)) continue;
    ofAll[c] = total[c] / counted;
    ofNearest[c] = spotTotals[nearest] > 0 ? total[c] / spotTotals[nearest] : 0;
  }
  return { ofAll, ofNearest };
}
