/** The cells used for statistics: observed cells with enough counts. Row = index into `cells`. */
export interface TestedCells {
  /** Cell numbers, ascending. */
  cells: Uint32Array;
  /** Row of each cell of the sample, −1 where it is not tested. */
  rowOf: Int32Array;
  /** Median total ÷ total, one per row: scales cells to the same depth. */
  factor: Float64Array;
  minimumCounts: number;
}

/** Cells below this fraction of the median total have too few counts to be compared. */
const MIN_SHARE = 0.1;

/**
 * Observed cells with at least a tenth of the median observed cell's counts, by the total counts per cell.
 * O(nCells · log nCells).
 */
export function testedCells(
  totals: Float64Array | Float32Array,
  observed: Uint8Array,
): TestedCells {
  const present = totals.filter((total, cell) => observed[cell] === 1 && total > 0).sort();
  const median = present.length > 0 ? present[Math.floor(present.length / 2)] : 0;
  const minimumCounts = Math.max(1, Math.ceil(MIN_SHARE * median));
  const rowOf = new Int32Array(totals.length).fill(-1);
  const cells: number[] = [];
  for (let cell = 0; cell < totals.length; cell++) {
    if (observed[cell] !== 1 || totals[cell] < minimumCounts) continue;
    rowOf[cell] = cells.length;
    cells.push(cell);
  }
  return {
    cells: Uint32Array.from(cells),
    rowOf,
    factor: Float64Array.from(cells, (cell) => median / totals[cell]),
    minimumCounts,
  };
}
