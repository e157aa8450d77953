/** Groups of the tested cells: the group of each row (−1 = none) and the number of rows in each group. */
export interface Grouping {
  groupOf: Int32Array;
  sizes: Float64Array;
}

/** Scores of one gene for each group against all other rows. Rows without a group count among the others. */
export interface GroupScores {
  auc: Float64Array;
  mean: Float64Array;
  variance: Float64Array;
  meanOthers: Float64Array;
  varianceOthers: Float64Array;
  fraction: Float64Array;
  fractionOthers: Float64Array;
}

/** Added to numerator and denominator of the ratio of means, as in scanpy. */
const RATIO_FLOOR = 1e-9;

/** Row numbers are packed into the same number, below the value. */
const MAX_ROWS = 2 ** 22;

/**
 * Entries of a gene by increasing value, as numbers that pack value and row: positive floats sort like their
 * bits, and 31 bits of value plus 22 bits of row fit in a double. The native sort of doubles is many times
 * faster than one with a comparator.
 */
export function sortedEntries(rows: Uint32Array, values: Float32Array): Float64Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const keys = new Float64Array(rows.length);
  for (let e = 0; e < rows.length; e++) {
    if (rows[e] >= MAX_ROWS) throw new RangeError(`At most ${MAX_ROWS} cells can be ranked`);
    keys[e] = bits[e] * MAX_ROWS + rows[e];
  }
  return keys.sort();
}

/**
 * Area under the curve U / (n₁n₂) of each group against the rest, from rank sums (Wilcoxon), means, and variances. `entries` come from {@link sortedEntries};
 * all other rows are 0 and enter as one block of ties. O(entries + groups).
 */
export function rankSums(
  entries: Float64Array,
  rows: Uint32Array,
  values: Float32Array,
  { groupOf, sizes }: Grouping,
): GroupScores {
  const n = groupOf.length;
  const k = sizes.length;
  const zeros = n - entries.length;
  const rankSum = new Float64Array(k);
  for (let from = 0; from < entries.length;) {
    const value = Math.floor(entries[from] / MAX_ROWS) * MAX_ROWS;
    let to = from + 1;
    while (to < entries.length && entries[to] < value + MAX_ROWS) to++;
    const rank = zeros + (from + 1 + to) / 2;
    for (let e = from; e < to; e++) {
      const group = groupOf[entries[e] - value];
      if (group >= 0) rankSum[group] += rank;
    }
    from = to;
  }
  const sums = sumsByGroup(rows, values, groupOf, k);
  const perGroup = (at: (group: number, size: number, others: number) => number): Float64Array =>
    Float64Array.from(sizes, (size, group) => at(group, size, n - size));
  const variance = (sum: number, squares: number, count: number): number =>
    count > 1 ? Math.max(0, (squares - (sum * sum) / count) / (count - 1)) : 0;
  return {
    auc: perGroup((group, size, others) => {
      const all = rankSum[group] + (size - sums.count[group]) * ((zeros + 1) / 2);
      return (all - (size * (size + 1)) / 2) / (size * others);
    }),
    mean: perGroup((group, size) => sums.sum[group] / size),
    variance: perGroup((group, size) => variance(sums.sum[group], sums.squares[group], size)),
    meanOthers: perGroup((group, _, others) => (sums.total.sum - sums.sum[group]) / others),
    varianceOthers: perGroup((group, _, others) =>
      variance(sums.total.sum - sums.sum[group], sums.total.squares - sums.squares[group], others),
    ),
    fraction: perGroup((group, size) => sums.count[group] / size),
    fractionOthers: perGroup((group, _, others) => (entries.length - sums.count[group]) / others),
  };
}

/** log2 of the ratio of exp(mean log) − 1, as scanpy computes it from means of log(1 + x). */
export function log2FoldChange(meanLog: number, meanLogOthers: number): number {
  return Math.log2((Math.expm1(meanLog) + RATIO_FLOOR) / (Math.expm1(meanLogOthers) + RATIO_FLOOR));
}

function sumsByGroup(
  rows: Uint32Array,
  values: Float32Array,
  groupOf: Int32Array,
  k: number,
): {
  count: Float64Array;
  sum: Float64Array;
  squares: Float64Array;
  total: { sum: number; squares: number };
} {
  const [count, sum, squares] = [0, 1, 2].map(() => new Float64Array(k));
  const total = { sum: 0, squares: 0 };
  for (let e = 0; e < rows.length; e++) {
    const value = values[e];
    total.sum += value;
    total.squares += value * value;
    const group = groupOf[rows[e]];
    if (group < 0) continue;
    count[group] += 1;
    sum[group] += value;
    squares[group] += value * value;
  }
  return { count, sum, squares, total };
}
