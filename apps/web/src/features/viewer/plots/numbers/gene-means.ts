import type { CellGroups } from "./cell-groups.ts";

/** One gene's summary in every group. */
export interface GeneMeans {
  /** Mean over the group's cells; NaN without cells. */
  mean: Float64Array;
  /** Share of the group's cells with a value above the threshold. */
  fraction: Float64Array;
}

/**
 * Threshold above which a cell counts in `fraction`: 0, suitable for counts; or the gene's mean over the members of all
 * groups, suitable for rates, which are hardly ever 0.
 */
export type Threshold = "zero" | "mean";

/** Mean of a gene's values and share above the threshold in every group. O(members): 20 ms for 700,000 cells. */
export function geneMeans(
  values: Float32Array,
  { offsets, cells }: CellGroups,
  threshold: Threshold,
): GeneMeans {
  const nGroups = offsets.length - 1;
  const mean = new Float64Array(nGroups);
  let all = 0;
  for (let group = 0; group < nGroups; group++) {
    let sum = 0;
    for (let k = offsets[group]!; k < offsets[group + 1]!; k++) sum += values[cells[k]!]!;
    mean[group] = sum / (offsets[group + 1]! - offsets[group]!);
    all += sum;
  }
  const limit = threshold === "zero" ? 0 : all / cells.length;
  const fraction = mean.map((_, group) => {
    let above = 0;
    for (let k = offsets[group]!; k < offsets[group + 1]!; k++)
      if (values[cells[k]!]! > limit) above += 1;
    return above / (offsets[group + 1]! - offsets[group]!);
  });
  return { mean, fraction };
}

/**
 * Values minus their mean, in (population) standard deviations; 0 if all are equal. Non-finite values are kept and
 * ignored.
 */
export function standardized(values: Float64Array): Float64Array {
  const known = values.filter(Number.isFinite);
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
  const deviation = Math.sqrt(variance);
  // Rounding alone produces a deviation of this size.
  const alike = deviation <= 1e-12 * Math.abs(mean);
  return values.map((value) =>
    Number.isFinite(value) ? (alike ? 0 : (value - mean) / deviation) : value,
  );
}
