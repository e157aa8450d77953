import { leastSquares, type Design, type LeastSquares } from "@stipple/numerics/least-squares";
import { lowess } from "@stipple/numerics/lowess";
import type { Counts } from "./counts.ts";

const SPAN = 0.5;

/** Each gene's regression on the design, and its mean log2 counts per million. */
export interface GeneFits {
  fits: LeastSquares[];
  means: Float64Array;
}

/**
 * Fits log2 counts per million of every gene with weights that say how precise each count of its size is: voom (Law et al.
 * 2014). `totals` are the units' corrected totals. O(genes · units · columns²).
 */
export function fitByVoom(units: Counts, totals: readonly number[], design: Design): GeneFits {
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
    return leastSquares(design, logs(gene), weights);
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
