import type { CellMeasure } from "@stipple/contract/routes/visualization";

const COUNTED: ReadonlySet<CellMeasure> = new Set(["cells.total_counts", "cells.n_genes"]);

/** Whether a measure is based on counts: cells outside the spots have none. */
export function isCounted(measure: CellMeasure): boolean {
  return COUNTED.has(measure);
}

/** Count-based values with NaN for every cell outside the spots (`observed` 0), where the file has 0. O(nCells). */
export function onlyCounted(
  values: ArrayLike<number>,
  observed: ArrayLike<number>,
): Float32Array<ArrayBuffer> {
  const known = Float32Array.from(values);
  for (let cell = 0; cell < known.length; cell++) if (observed[cell] === 0) known[cell] = NaN;
  return known;
}
