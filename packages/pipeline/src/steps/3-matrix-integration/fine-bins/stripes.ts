/** Rows on either side that a row is compared with: 32 µm, over which tissue changes little. */
const NEIGHBORS = 16;
/** A row is believed as far as its counts allow: this many counts of prior, at the mean of its neighbors. */
const PRIOR_COUNTS = 200;
/** Rows and columns of an array catch within these factors of their neighbors; beyond, something else is at work. */
const RANGE = [0.25, 4] as const;

/** What rows or columns of bins counted, by index. */
export interface LineTotals {
  counts: Float64Array;
  /** Bins under tissue. */
  bins: Float64Array;
}

/**
 * How much more each row (or column) of bins catches than those around it: its counts, divided by those expected of it by a
 * straight line through the counts a bin of the 16 rows on either side, with a prior of 200 counts at 1. Tissue changes
 * slowly from row to row; stripes do not. Rows without tissue have the factor 1. O(rows · 33).
 */
export function lineFactors(totals: LineTotals): Float64Array<ArrayBuffer> {
  return Float64Array.from(totals.counts, (own, line) => {
    const expected = expectedOf(totals, line) * totals.bins[line];
    if (!(expected > 0)) return 1;
    const factor = (own + PRIOR_COUNTS) / (expected + PRIOR_COUNTS);
    return Math.min(RANGE[1], Math.max(RANGE[0], factor));
  });
}

/** Counts a bin that the lines around let expect, each weighing by its bins; 0 where there are none. */
function expectedOf({ counts, bins }: LineTotals, line: number): number {
  let [w, x, xx, y, xy] = [0, 0, 0, 0, 0];
  for (let away = -NEIGHBORS; away <= NEIGHBORS; away++) {
    const places = bins[line + away];
    if (away === 0 || !(places > 0)) continue;
    w += places;
    x += places * away;
    xx += places * away * away;
    y += counts[line + away];
    xy += away * counts[line + away];
  }
  if (w === 0) return 0;
  const spread = w * xx - x * x;
  const straight = spread > 0 ? (xx * y - x * xy) / spread : 0;
  return straight > 0 ? straight : y / w;
}
