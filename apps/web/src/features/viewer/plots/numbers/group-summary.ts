import { density } from "./density.ts";
import { quantile } from "@stipple/numerics/quantile";
import type { CellGroups } from "./cell-groups.ts";

/** Distribution of one group's values. Statistics are NaN where the group has no values. */
export interface GroupSummary {
  /** Cells with a value, and cells without (NaN). */
  cells: number;
  missing: number;
  /** Cells whose value is exactly 0. */
  zeros: number;
  mean: number;
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
  /** Kernel density at the points of `Summary.grid`; null if it cannot be estimated. Integrates to 1. */
  density: Float64Array | null;
  /** Cells in each bin of `Summary.edges`. */
  bins: Uint32Array;
}

/** Values of all groups on a shared axis. */
export interface Summary {
  groups: GroupSummary[];
  /** Points at which densities are evaluated, on the axis scale. */
  grid: Float64Array;
  /** Bin edges on the axis scale, one more than there are bins. Each bin includes its lower edge, the last one both. */
  edges: Float64Array;
  /** Whether the axis is logarithmic: not if some value is below 0, which has no place on it. */
  log: boolean;
}

export interface SummaryOptions {
  /** Maximum number of bins. */
  bins: number;
  /**
   * Use log10(1 + value) for `grid`, `edges`, and densities, unless some value is below 0; the other statistics remain those
   * of the values.
   */
  log: boolean;
  /** Number of points at which densities are evaluated. */
  points: number;
}

/** Fewer values than this show no meaningful shape. */
export const MIN_FOR_DENSITY = 5;

/** Summarizes values group by group. O(n log n) for sorting: 0.15 s of CPU time for 700,000 cells in 15 groups. */
export function summarize(
  values: Float32Array,
  { offsets, cells }: CellGroups,
  { log: asksLog, bins, points }: SummaryOptions,
): Summary {
  const sorted: Float32Array[] = [];
  const counts: number[] = [];
  for (let group = 0; group + 1 < offsets.length; group++) {
    const all = cells.subarray(offsets[group], offsets[group + 1]);
    const found = new Float32Array(all.length);
    let n = 0;
    for (const cell of all) if (Number.isFinite(values[cell])) found[n++] = values[cell]!;
    sorted.push(found.subarray(0, n).sort());
    counts.push(all.length);
  }
  const filled = sorted.filter(({ length }) => length > 0);
  const least = Math.min(...filled.map((part) => part[0]!));
  const log = asksLog && least >= 0;
  const scaled = (value: number): number => (log ? Math.log10(1 + value) : value);
  let low = scaled(least);
  let high = scaled(Math.max(...filled.map((part) => part.at(-1)!)));
  if (!(low <= high)) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - 0.5, high + 0.5];
  const edges =
    !log && filled.every((part) => part.every(Number.isInteger))
      ? wholeEdges(Math.ceil(low), Math.floor(high), bins)
      : evenly(low, high, bins + 1);
  return {
    grid: evenly(low, high, points),
    edges,
    log,
    groups: sorted.map((part, group) => {
      const axis = log ? part.map(scaled) : part;
      return {
        ...figuresOf(part),
        missing: counts[group]! - part.length,
        density: part.length < MIN_FOR_DENSITY ? null : density(axis, low, high, points),
        bins: binned(axis, edges),
      };
    }),
  };
}

function figuresOf(sorted: Float32Array): Omit<GroupSummary, "missing" | "density" | "bins"> {
  let sum = 0;
  let zeros = 0;
  for (const value of sorted) {
    sum += value;
    if (value === 0) zeros += 1;
  }
  return {
    cells: sorted.length,
    zeros,
    mean: sum / sorted.length,
    min: quantile(sorted, 0),
    q1: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    q3: quantile(sorted, 0.75),
    max: quantile(sorted, 1),
  };
}

function evenly(low: number, high: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, at) => low + ((high - low) * at) / (length - 1));
}

/** Edges of at most `most` bins that each span the same number of integers: counts would fill other bins unevenly. */
function wholeEdges(low: number, high: number, most: number): Float64Array {
  const step = Math.max(1, Math.ceil((high - low + 1) / most));
  const length = Math.ceil((high - low + 1) / step) + 1;
  return Float64Array.from({ length }, (_, at) => low - 0.5 + at * step);
}

function binned(values: Float32Array, edges: Float64Array): Uint32Array {
  const counts = new Uint32Array(edges.length - 1);
  const [low, high] = [edges[0]!, edges.at(-1)!];
  const perUnit = counts.length / (high - low);
  for (const value of values) {
    const bin = Math.floor((value - low) * perUnit);
    counts[Math.min(counts.length - 1, Math.max(0, bin))]! += 1;
  }
  return counts;
}
