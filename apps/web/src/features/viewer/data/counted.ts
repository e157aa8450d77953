import type { CellMeasure } from "@stipple/contract/routes/visualization";

const COUNTED: ReadonlySet<CellMeasure> = new Set(["cells.total_counts", "cells.n_genes"]);

/** Whether a measure tells what was counted: cells outside of the spots have none. */
export function isCounted(measure: CellMeasure): boolean {
  return COUNTED.has(measure);
}

/** Values of what was counted, with NaN for every cell outside of the spots (`observed` 0), where the file has a 0. O(nCells). */
export function onlyCounted(
  values: ArrayLike<number>,
  observed: ArrayLike<number>,
): Float32Array<ArrayBuffer> {
  const known = Float32Array.from(values);
  for (let cell = 0; cell < known.length; cell++) if (observed[cell] === 0) known[cell] = NaN;
  return known;
}
