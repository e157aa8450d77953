import type { AnyMeasure } from "../state/measures.ts";

const COUNTED: ReadonlySet<AnyMeasure> = new Set(["cells.total_counts", "cells.n_genes"]);

/** Whether a measure is based on counts: cells outside the spots have none. */
export function isCounted(measure: AnyMeasure): boolean {
  return COUNTED.has(measure);
}

const OF_TYPE: ReadonlySet<AnyMeasure> = new Set(["cells.confidence", "cells.type_margin"]);

/** Whether a measure tells how certain a cell's type is: cells without a type have none. */
export function isOfType(measure: AnyMeasure): boolean {
  return OF_TYPE.has(measure);
}

/** Values with NaN for every cell whose type is `unknown`, an index (−1 = none is). O(nCells). */
export function onlyTyped(
  values: ArrayLike<number>,
  typeOf: ArrayLike<number>,
  unknown: number,
): Float32Array<ArrayBuffer> {
  const known = Float32Array.from(values);
  for (let cell = 0; cell < known.length; cell++) if (typeOf[cell] === unknown) known[cell] = NaN;
  return known;
}

/**
 * Count-based values with NaN for every cell outside the spots (`observed` 0), whose counts, where the file has any, were
 * measured next to it. O(nCells).
 */
export function onlyCounted(
  values: ArrayLike<number>,
  observed: ArrayLike<number>,
): Float32Array<ArrayBuffer> {
  const known = Float32Array.from(values);
  for (let cell = 0; cell < known.length; cell++) if (observed[cell] === 0) known[cell] = NaN;
  return known;
}
