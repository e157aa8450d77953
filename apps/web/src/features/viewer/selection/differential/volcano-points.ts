import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { sideOf, type Thresholds } from "./gene-rows.ts";

/** Where the genes of a table are in a volcano plot. */
export interface VolcanoPoints {
  /** log2 fold change. */
  x: Float64Array;
  /** −log10 p. */
  y: Float64Array;
  /** 1 = more in a, −1 = more in b, 0 = within the thresholds. */
  side: Int8Array;
  /**
   * Both axes reach to these: ± x, and y from 0. Genes beyond are at the edge: they differ in nothing, or are
   * `oneSided`.
   */
  mostX: number;
  mostY: number;
  /** Whether a gene that differs is found in one of the sets only, so that it has no ratio. */
  oneSided: boolean;
  /** y from which genes are below the FDR threshold; null when none is. */
  significantY: number | null;
}

/** Places the genes. O(n). */
export function volcanoPoints(table: DifferentialTable, thresholds: Thresholds): VolcanoPoints {
  const n = table.genes.length;
  const x = Float64Array.from(table.log2_fold_change);
  const y = Float64Array.from(table.pvalue, (p, row) => minusLog10P(p, table.t[row]!));
  const side = new Int8Array(n);
  let [mostX, mostY] = [Math.max(2 * thresholds.change, 1), 1];
  let oneSided = false;
  let significantY: number | null = null;
  for (let row = 0; row < n; row++) {
    side[row] = sideOf(table, row, thresholds);
    // A gene with counts on one side only has a huge ratio that says nothing: it must not squeeze the rest.
    const hasRatio = table.fraction_a[row]! > 0 && table.fraction_b[row]! > 0;
    if (side[row] !== 0 && hasRatio) mostX = Math.max(mostX, Math.abs(x[row]!));
    oneSided ||= side[row] !== 0 && !hasRatio;
    mostY = Math.max(mostY, y[row]!);
    if (table.fdr[row]! < thresholds.fdr)
      significantY = Math.min(significantY ?? Infinity, y[row]!);
  }
  return { x, y, side, mostX: mostX * 1.05, mostY: mostY * 1.08, oneSided, significantY };
}

/**
 * −log10 of a two-sided p-value; where p is too small to be a number, from t by the leading term of the normal tail
 * (Abramowitz & Stegun 26.2.12): p ≈ 2 φ(t) / t.
 */
export function minusLog10P(p: number, t: number): number {
  if (p > 1e-300) return -Math.log10(p) || 0;
  const size = Math.abs(t);
  return (size * size) / (2 * Math.LN10) + Math.log10(size * Math.sqrt(Math.PI / 2));
}

/** The gene nearest to a place of the plot within `reachPx`, −1 for none. O(n). */
export function nearestGene(
  { x, y }: VolcanoPoints,
  toPx: { x: (value: number) => number; y: (value: number) => number },
  placeX: number,
  placeY: number,
  reachPx: number,
): number {
  let best = -1;
  let least = reachPx * reachPx;
  for (let row = 0; row < x.length; row++) {
    const across = toPx.x(x[row]!) - placeX;
    const down = toPx.y(y[row]!) - placeY;
    const square = across * across + down * down;
    // The first of equals is the one with more evidence.
    if (square < least) [best, least] = [row, square];
  }
  return best;
}

/** A label of a gene in the plot, px. */
export interface GeneLabel {
  row: number;
  x: number;
  y: number;
  /** At which side of its point it stands. */
  anchor: "start" | "end";
}

/** Mean width of a capital letter of the labels and height of a line, px. */
const LETTER_PX = 6.6;
const LINE_PX = 11;
/** Genes of a side that are tried: where the best ones crowd, few labels are right. */
const MOST_TRIED = 40;

/**
 * Labels for the genes with most evidence on each side that cover neither each other nor a colored point. The table's
 * order is that of evidence. `left` and `right` bound them, px. O(genes × labels tried).
 */
export function geneLabels(
  genes: readonly string[],
  points: VolcanoPoints,
  toPx: { x: (value: number) => number; y: (value: number) => number },
  { left, right, mostEachSide }: { left: number; right: number; mostEachSide: number },
): GeneLabel[] {
  const labels: GeneLabel[] = [];
  const boxes: LabelBox[] = [];
  for (const side of [1, -1]) {
    let [tried, found] = [0, 0];
    for (let row = 0; row < genes.length && tried < MOST_TRIED && found < mostEachSide; row++) {
      if (points.side[row] !== side) continue;
      tried += 1;
      const x = toPx.x(points.x[row]!);
      const y = toPx.y(points.y[row]!);
      const wide = LETTER_PX * genes[row]!.length;
      for (const anchor of side > 0 ? (["start", "end"] as const) : (["end", "start"] as const)) {
        const at = anchor === "start" ? x + 5 : x - 5;
        const from = anchor === "start" ? at : at - wide;
        const box = {
          left: from,
          right: from + wide,
          top: y - LINE_PX / 2,
          bottom: y + LINE_PX / 2,
        };
        if (box.left < left || box.right > right) continue;
        if (boxes.some((other) => overlaps(box, other)) || holdsPoint(box, points, toPx)) continue;
        boxes.push(box);
        labels.push({ row, x: at, y: y + 3, anchor });
        found += 1;
        break;
      }
    }
  }
  return labels;
}

interface LabelBox {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function overlaps(a: LabelBox, b: LabelBox): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

function holdsPoint(
  { left, right, top, bottom }: LabelBox,
  { x, y, side }: VolcanoPoints,
  toPx: { x: (value: number) => number; y: (value: number) => number },
): boolean {
  for (let row = 0; row < x.length; row++) {
    if (side[row] === 0) continue;
    const across = toPx.x(x[row]!);
    const down = toPx.y(y[row]!);
    if (across > left && across < right && down > top && down < bottom) return true;
  }
  return false;
}
