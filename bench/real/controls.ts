import Flatbush from "flatbush";
import type { SparseMatrix } from "@stipple/pipeline/fields";
import type { CellPrediction } from "@stipple/tissue/metrics/correlation";

/** Spots or bins, and the judged gene of each of their columns (−1 for none). */
export interface CountedPlaces {
  xy: ArrayLike<number>;
  counts: SparseMatrix;
  back: Int32Array;
}

/** Standard deviation of the Gaussian weights, in pitches. */
const INTERPOLATION_PITCHES = 0.6;
const SMOOTHING_PITCHES = 1;

function indexOf({ xy, counts }: CountedPlaces): Flatbush {
  const index = new Flatbush(counts.nRows);
  for (let i = 0; i < counts.nRows; i++) index.add(xy[2 * i]!, xy[2 * i + 1]!);
  index.finish();
  return index;
}

/** Counts of the spot or bin nearest to each true cell (px: x, y of the cells). */
export function nearest(px: Float64Array, places: CountedPlaces): CellPrediction {
  const index = indexOf(places);
  return (cell, row) => {
    const [at] = index.neighbors(px[2 * cell]!, px[2 * cell + 1]!, 1);
    add(places, at!, 1, row);
  };
}

/** Mean of the spots or bins around each true cell, weighted by a Gaussian of 0.6 pitches. */
export function interpolated(
  px: Float64Array,
  places: CountedPlaces,
  pitchPx: number,
): CellPrediction {
  return weighted(px, places, INTERPOLATION_PITCHES * pitchPx);
}

/** The same over one pitch: bins are smaller than cells. */
export function smoothedBins(
  px: Float64Array,
  places: CountedPlaces,
  pitchPx: number,
): CellPrediction {
  return weighted(px, places, SMOOTHING_PITCHES * pitchPx);
}

function weighted(px: Float64Array, places: CountedPlaces, sigma: number): CellPrediction {
  const index = indexOf(places);
  return (cell, row) => {
    const [x, y] = [px[2 * cell]!, px[2 * cell + 1]!];
    let total = 0;
    for (const at of index.neighbors(x, y, Infinity, 4 * sigma)) {
      const d = (places.xy[2 * at]! - x) ** 2 + (places.xy[2 * at + 1]! - y) ** 2;
      const weight = Math.exp(-d / (2 * sigma * sigma));
      total += weight;
      add(places, at, weight, row);
    }
    if (total > 0) for (let gene = 0; gene < row.length; gene++) row[gene]! /= total;
  };
}

function add({ counts, back }: CountedPlaces, at: number, weight: number, row: Float32Array): void {
  for (let k = counts.indptr[at]!; k < counts.indptr[at + 1]!; k++) {
    const gene = back[counts.indices[k]!]!;
    if (gene >= 0) row[gene]! += weight * counts.data[k]!;
  }
}
