import type { Counts } from "./counts.ts";
import type { ComparisonDesign } from "./design.ts";
import { moderatedTests } from "./moderated-tests.ts";
import { trimmedMeanFactors } from "./trimmed-means.ts";
import {
  leverages,
  type Design,
  leastSquares,
  type LeastSquares,
} from "@stipple/numerics/least-squares";
import { median } from "@stipple/numerics/quantile";
import { lowess } from "@stipple/numerics/lowess";

/** A gene's difference between the second and the first group of units. */
export interface GeneDifference {
  /** Index into the genes. */
  gene: number;
  /** log2 of the ratio, and its 95% interval. */
  logFold: number;
  low: number;
  high: number;
  /** Mean log2 counts per million. */
  mean: number;
  t: number;
  p: number;
  fdr: number;
}

/**
 * Compares summed counts of units gene by gene: expressed genes, trimmed means, voom, and moderated t statistics, as edgeR
 * and limma do. Genes with too few counts are left out.
 */
export function compareExpression(units: Counts, design: ComparisonDesign): GeneDifference[] {
  const genes = expressedGenes(units, design.columns);
  if (genes.length < 2) return [];
  const kept = units.map((counts) => Float64Array.from(genes, (gene) => counts[gene]));
  const factors = trimmedMeanFactors(kept);
  const totals = kept.map(
    (counts, i) => factors[i] * counts.reduce((sum, count) => sum + count, 0),
  );
  const { fits, means } = fitByVoom(kept, totals, design.columns);
  return moderatedTests(fits, units.length, design).map(({ difference, ...row }, i) => ({
    ...{ gene: genes[i], logFold: difference, mean: means[i] },
    ...row,
  }));
}

const MIN_COUNT = 10;
const MIN_TOTAL = 15;
/** Of groups larger than this, only a part has to show a gene. */
const LARGE_GROUP = 10;
const PART_OF_LARGE = 0.7;

/**
 * Genes with enough counts to compare: about ten in as many units as the smallest group has (edgeR's `filterByExpr`,
 * Chen, Lun & Smyth 2016).
 */
function expressedGenes(units: Counts, design: Design): number[] {
  const totals = units.map((counts) => counts.reduce((sum, count) => sum + count, 0));
  const least = MIN_COUNT / median(totals);
  let wanted = 1 / Math.max(...leverages(design));
  if (wanted > LARGE_GROUP) wanted = LARGE_GROUP + (wanted - LARGE_GROUP) * PART_OF_LARGE;
  const genes: number[] = [];
  for (let gene = 0; gene < (units[0]?.length ?? 0); gene++) {
    let [shown, total] = [0, 0];
    for (const [i, counts] of units.entries()) {
      total += counts[gene];
      if (counts[gene] / totals[i] >= least) shown++;
    }
    if (shown >= wanted - 1e-9 && total >= MIN_TOTAL) genes.push(gene);
  }
  return genes;
}

const SPAN = 0.5;

/** Each gene's regression on the design, and its mean log2 counts per million. */
interface GeneFits {
  fits: LeastSquares[];
  means: Float64Array;
}

/**
 * Fits log2 counts per million of every gene with weights that say how precise each count of its size is: voom (Law et al.
 * 2014). `totals` are the units' corrected totals. O(genes · units · columns²).
 */
function fitByVoom(units: Counts, totals: readonly number[], design: Design): GeneFits {
  const nGenes = units[0].length;
  const n = units.length;
  const degrees = n - design.length;
  const logs = (gene: number): Float64Array =>
    Float64Array.from(units, (counts, i) =>
      Math.log2(((counts[gene] + 0.5) / (totals[i] + 1)) * 1e6),
    );
  const means = new Float64Array(nGenes);
  const plain: LeastSquares[] = [];
  for (let gene = 0; gene < nGenes; gene++) {
    const y = logs(gene);
    means[gene] = y.reduce((sum, value) => sum + value, 0) / n;
    plain.push(leastSquares(design, y));
  }
  const meanTotal = totals.reduce((sum, total) => sum + Math.log2(total + 1), 0) / n;
  const sizes = means.map((mean) => mean + meanTotal - Math.log2(1e6));
  const roots = Float64Array.from(plain, ({ residual }) => (residual / degrees) ** 0.25);
  const trend = trendOf(sizes, roots);
  const fits = plain.map(({ coefficients }, gene) => {
    const weights = totals.map((total, i) => {
      const fitted = design.reduce((sum, column, j) => sum + coefficients[j] * column[i], 0);
      return 1 / trend(fitted + Math.log2(total + 1) - Math.log2(1e6)) ** 4;
    });
    // Where most genes fit exactly, as in copies of a sample, the trend is 0.
    return leastSquares(design, logs(gene), weights.every(Number.isFinite) ? weights : undefined);
  });
  return { fits, means };
}

/** The trend of y over x as a function: linear between points, constant outside. */
function trendOf(x: Float64Array, y: Float64Array): (at: number) => number {
  const order = Array.from(x.keys());
  order.sort((a, b) => x[a] - x[b]);
  const sorted = Float64Array.from(order, (i) => x[i]);
  const smooth = lowess(
    sorted,
    Float64Array.from(order, (i) => y[i]),
    SPAN,
  );
  return (at) => {
    let [low, high] = [0, sorted.length - 1];
    if (at <= sorted[low]) return smooth[low];
    if (at >= sorted[high]) return smooth[high];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sorted[middle] <= at) low = middle;
      else high = middle;
    }
    const share = (at - sorted[low]) / (sorted[high] - sorted[low]);
    return smooth[low] + share * (smooth[high] - smooth[low]);
  };
}
