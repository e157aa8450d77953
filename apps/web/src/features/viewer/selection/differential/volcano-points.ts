import { dotsAt, namesBeside } from "@stipple/contract/point-names";
import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { sideOf, type Thresholds } from "./gene-rows.ts";

/** Positions of a table's genes in a volcano plot. */
export interface VolcanoPoints {
  /** log2 fold change, within the axis. */
  x: Float64Array;
  /** −log10 p. */
  y: Float64Array;
  /** 1 = more in a, −1 = more in b, 0 = within the thresholds. */
  side: Int8Array;
  /**
   * Axis limits: ± x, and y from 0. Genes beyond are drawn at the edge: they are either not different or `oneSided`.
   */
  mostX: number;
  mostY: number;
  /** Whether some different gene is found in only one of the sets and so has no ratio. */
  oneSided: boolean;
  /** y above which genes are below the FDR threshold; null if there are none. */
  significantY: number | null;
}

/** Computes the positions. O(n). */
export function volcanoPoints(table: DifferentialTable, thresholds: Thresholds): VolcanoPoints {
  const n = table.genes.length;
  const x = Float64Array.from(table.log2_fold_change);
  const y = Float64Array.from(table.pvalue, (p, row) =>
    minusLog10P(p, table.t[row]!, table.spots - 2),
  );
  const side = new Int8Array(n);
  let [mostX, mostY] = [Math.max(2 * thresholds.change, 1), 1];
  let oneSided = false;
  let significantY: number | null = null;
  for (let row = 0; row < n; row++) {
    side[row] = sideOf(table, row, thresholds);
    // A gene with counts on only one side has a huge, meaningless ratio, which must not compress the rest of the axis.
    const hasRatio = table.fraction_a[row]! > 0 && table.fraction_b[row]! > 0;
    if (side[row] !== 0 && hasRatio) mostX = Math.max(mostX, Math.abs(x[row]!));
    oneSided ||= side[row] !== 0 && !hasRatio;
    mostY = Math.max(mostY, y[row]!);
    if (table.fdr[row]! < thresholds.fdr)
      significantY = Math.min(significantY ?? Infinity, y[row]!);
  }
  mostX *= 1.05;
  const atEdge = x.map((value) => Math.min(mostX, Math.max(-mostX, value)));
  return { x: atEdge, y, side, mostX, mostY: mostY * 1.08, oneSided, significantY };
}

/**
 * −log10 of a two-sided p-value of Student's t with `df` degrees of freedom; where p underflows, computed from t: with
 * x = df / (df + t²) and a = df / 2, p ≈ xᵃ / √(π a (1 − x)), the leading term of the incomplete beta function
 * (DLMF 8.17.8) for large a.
 */
export function minusLog10P(p: number, t: number, df: number): number {
  if (p > 1e-300) return -Math.log10(p) || 0;
  const a = df / 2;
  // Of x, and 1 − x: exact even where t² is far below df.
  const logX = -Math.log1p((t * t) / df);
  const rest = -Math.expm1(logX);
  return (-a * logX) / Math.LN10 + Math.log10(Math.PI * a * rest) / 2;
}

/** Genes tried per side: if the top genes are crowded, only a few get labels. */
const MAX_TRIED = 40;

/**
 * Labels for the genes with the most evidence on each side that overlap neither each other nor a colored dot. The
 * table is ordered by evidence. `left` and `right` bound the labels, px. O(genes × labels tried).
 */
export function geneLabels(
  genes: readonly string[],
  { x, y, side }: VolcanoPoints,
  toPx: { x: (value: number) => number; y: (value: number) => number },
  { left, right, maxEachSide: most }: { left: number; right: number; maxEachSide: number },
) {
  const colored = genes.flatMap((text, row) =>
    side[row] === 0 ? [] : [{ row, text, x: toPx.x(x[row]!), y: toPx.y(y[row]!) }],
  );
  const taken = dotsAt(colored);
  return ([1, -1] as const).flatMap((one) => {
    const tried = colored.filter(({ row }) => side[row] === one).slice(0, MAX_TRIED);
    const anchors = one > 0 ? (["start", "end"] as const) : (["end", "start"] as const);
    return namesBeside(tried, { left, right }, taken, { anchors, shifts: [0], most });
  });
}
