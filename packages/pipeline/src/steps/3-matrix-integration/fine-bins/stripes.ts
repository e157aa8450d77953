/** Number of rows on either side with which a row is compared: 32 µm, over which tissue changes little. */
const NEIGHBORS = 16;
/**
 * Prior counts added to a row at the mean of its neighbors, so that rows with few counts are shrunk toward
 * factor 1.
 */
const PRIOR_COUNTS = 200;
/**
 * Efficiencies of rows and columns are within these factors of their neighbors; larger deviations have other
 * causes.
 */
const RANGE = [0.25, 4] as const;

/** Counts in rows or columns of bins, by index. */
export interface LineTotals {
  counts: Float64Array;
  /** Bins under tissue. */
  bins: Float64Array;
}

/**
 * Relative capture efficiency of each row (or column) of bins compared with its surroundings: its counts,
 * divided by those expected from a straight line through the counts per bin of the 16 rows on either side, with
 * a prior of 200 counts at 1. Tissue changes gradually from row to row; stripes do not. Rows without tissue get
 * factor 1. O(rows · 33).
 */
export function lineFactors(totals: LineTotals): Float64Array<ArrayBuffer> {
  return Float64Array.from(totals.counts, (own, line) => {
    const expected = expectedOf(totals, line) * totals.bins[line];
    if (!(expected > 0)) return 1;
    const factor = (own + PRIOR_COUNTS) / (expected + PRIOR_COUNTS);
    return Math.min(RANGE[1], Math.max(RANGE[0], factor));
  });
}

/**
 * Counts per bin expected from the surrounding lines, weighted by their numbers of bins; 0 if there are none.
 */
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
