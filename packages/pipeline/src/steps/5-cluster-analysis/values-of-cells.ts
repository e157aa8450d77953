import type { ObservedSpots } from "../../types/group-rates.ts";

/** Sums spot values for each cell by capture weight, relative to the largest weight if the cell is in a spot. */
export function valuesOfCells(values: Float32Array, spots: ObservedSpots): Float32Array {
  const { nRows, nCols, indptr, indices, data } = spots.overlap;
  const sum = new Float64Array(nCols);
  for (let s = 0; s < nRows; s++) {
    const value = values[s];
    if (value === 0) continue;
    for (let k = indptr[s]; k < indptr[s + 1]; k++) sum[indices[k]] += data[k] * value;
  }
  const scales = scalesOf(spots);
  const found = new Float32Array(nCols);
  for (let cell = 0; cell < nCols; cell++) {
    if (scales[cell] > 0) found[cell] = sum[cell] / scales[cell];
  }
  return found;
}

/** Computed once for all names. */
const knownScales = new WeakMap<ObservedSpots, Float64Array>();

/** Divisor for each cell: its largest capture weight if it lies in a spot, otherwise the sum of its weights. */
function scalesOf(spots: ObservedSpots): Float64Array {
  const before = knownScales.get(spots);
  if (before) return before;
  const { overlap, observed } = spots;
  const scales = new Float64Array(overlap.nCols);
  for (let k = 0; k < overlap.indices.length; k++) {
    const cell = overlap.indices[k];
    const weight = overlap.data[k];
    scales[cell] = observed[cell] ? Math.max(scales[cell], weight) : scales[cell] + weight;
  }
  knownScales.set(spots, scales);
  return scales;
}
