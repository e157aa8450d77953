import type { DifferentialTable } from "@stipple/contract/routes/visualization";
import { sideOf, type Thresholds } from "./gene-rows.ts";

/** Where the genes of a table stand in a volcano plot. */
export interface VolcanoPoints {
  /** log2 fold change. */
  x: Float64Array;
  /** −log10 p. */
  y: Float64Array;
  /** 1 = more in a, −1 = more in b, 0 = within the thresholds. */
  side: Int8Array;
  /** Both axes reach to these: ± x, and y from 0. */
  mostX: number;
  mostY: number;
  /** y from which genes are below the FDR threshold; null when none is. */
  significantY: number | null;
}

/** Places the genes. O(n). */
export function volcanoPoints(table: DifferentialTable, thresholds: Thresholds): VolcanoPoints {
  const n = table.genes.length;
  const x = Float64Array.from(table.log2_fold_change);
  const y = Float64Array.from(table.pvalue, (p, row) => minusLog10P(p, table.z[row]!));
  const side = new Int8Array(n);
  let [mostX, mostY] = [thresholds.change, 1];
  let significantY: number | null = null;
  for (let row = 0; row < n; row++) {
    side[row] = sideOf(table, row, thresholds);
    mostX = Math.max(mostX, Math.abs(x[row]!));
    mostY = Math.max(mostY, y[row]!);
    if (table.fdr[row]! < thresholds.fdr)
      significantY = Math.min(significantY ?? Infinity, y[row]!);
  }
  return { x, y, side, mostX: mostX * 1.05, mostY: mostY * 1.08, significantY };
}

/**
 * −log10 of a two-sided normal p-value; where p is too small to be a number, from z by the tail's leading term
 * (Abramowitz & Stegun 26.2.12): p ≈ 2 φ(z) / z.
 */
export function minusLog10P(p: number, z: number): number {
  if (p > 1e-300) return -Math.log10(p) || 0;
  const size = Math.abs(z);
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

/**
 * Labels for the genes with most evidence on each side that fit without covering each other. `order`: rows, those that
 * matter most first.
 */
export function geneLabels(
  genes: readonly string[],
  points: VolcanoPoints,
  toPx: { x: (value: number) => number; y: (value: number) => number },
  { width, mostEachSide }: { width: number; mostEachSide: number },
): GeneLabel[] {
  const taken: { left: number; right: number; y: number }[] = [];
  const labels: GeneLabel[] = [];
  const left = new Map([
    [1, mostEachSide],
    [-1, mostEachSide],
  ]);
  for (let row = 0; row < genes.length; row++) {
    const room = left.get(points.side[row]!) ?? 0;
    if (room === 0) continue;
    const x = toPx.x(points.x[row]!);
    const y = toPx.y(points.y[row]!) + 3;
    const wide = LETTER_PX * genes[row]!.length;
    const anchor = points.side[row]! > 0 && x + 6 + wide < width ? "start" : "end";
    const from = anchor === "start" ? x + 5 : x - 5 - wide;
    if (from < 0 || from + wide > width) continue;
    const covers = taken.some(
      (other) => from < other.right && from + wide > other.left && Math.abs(other.y - y) < LINE_PX,
    );
    if (covers) continue;
    taken.push({ left: from, right: from + wide, y });
    labels.push({ row, x: anchor === "start" ? x + 5 : x - 5, y, anchor });
    left.set(points.side[row]!, room - 1);
    if ([...left.values()].every((rest) => rest === 0)) break;
  }
  return labels;
}

/** Of the labels' type: mean width of a capital letter and height of a line. */
const LETTER_PX = 6.6;
const LINE_PX = 11;
