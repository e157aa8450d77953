/** Statistics of one gene in each group. */
export interface GroupMeans {
  /** Mean value over the group's cells; NaN without cells. */
  mean: Float64Array;
  /** Fraction of the group's cells with a value above the threshold; NaN without cells. */
  fraction: Float64Array;
}

/** The cells to include, and their groups. */
export interface GroupedCells {
  /** Group index of every cell; indices of `nGroups` or more mean no group. */
  groupOf: ArrayLike<number>;
  nGroups: number;
  /** One bit per cell, lowest bit of the first byte first; null = all. */
  within: Uint8Array | null;
}

/**
 * Mean and share above a threshold of a gene's values in each group. The threshold is 0 for counts, or the
 * gene's mean over the cells of all groups for rates, which are hardly ever 0. O(nCells).
 */
export function groupMeans(
  values: Float32Array,
  { groupOf, nGroups, within }: GroupedCells,
  threshold: "zero" | "mean",
): GroupMeans {
  const cells = new Float64Array(nGroups);
  const sums = new Float64Array(nGroups);
  const takesPart = (cell: number): boolean =>
    groupOf[cell] < nGroups && (within === null || ((within[cell >> 3] >> (cell & 7)) & 1) === 1);
  for (let cell = 0; cell < values.length; cell++) {
    if (!takesPart(cell)) continue;
    cells[groupOf[cell]] += 1;
    sums[groupOf[cell]] += values[cell];
  }
  const total = (numbers: Float64Array): number => numbers.reduce((sum, value) => sum + value, 0);
  const limit = threshold === "zero" ? 0 : total(sums) / total(cells);
  const above = new Float64Array(nGroups);
  for (let cell = 0; cell < values.length; cell++) {
    if (values[cell] > limit && takesPart(cell)) above[groupOf[cell]] += 1;
  }
  return {
    mean: sums.map((sum, group) => sum / cells[group]),
    fraction: above.map((count, group) => count / cells[group]),
  };
}
