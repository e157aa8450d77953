import { RATES } from "../../../model/constants.ts";
import { GRIDS, ROUNDS } from "../../../model/limits.ts";

const { QUANTILE } = RATES;
const { SHAPES } = GRIDS;

/** Log distance between neighboring shapes. */
const STEP = Math.log(SHAPES[1] / SHAPES[0]);

/** Frequency of each of SHAPES among genes, and the shape of every gene. */
export interface PriorShapes {
  share: Float64Array;
  /** One for each judged gene, in order. */
  shape: Float32Array;
  /** Shape for genes without information. */
  ofOthers: number;
}

/**
 * Estimates shapes of genes from the log-likelihoods of SHAPES, one array per gene. The frequency of each shape is
 * fitted to all genes by expectation–maximization (nonparametric empirical Bayes, Laird 1978); a gene's shape is the
 * lower bound (2 %) of its posterior. Genes with few counts thus borrow from the others, and when in doubt, the bins
 * take precedence. O(genes · shapes · rounds).
 */
export function shapesOf(logLikelihood: readonly Float64Array[]): PriorShapes {
  const n = SHAPES.length;
  const likelihood = logLikelihood.map((values) => {
    const most = Math.max(...values);
    return values.map((value) => Math.exp(value - most));
  });
  const posterior = new Float64Array(n);
  let share = new Float64Array(n).fill(1 / n);
  const weigh = (gene: Float64Array): void => {
    let total = 0;
    for (let i = 0; i < n; i++) total += posterior[i] = share[i] * gene[i];
    for (let i = 0; i < n; i++) posterior[i] /= total;
  };
  for (let round = 0; round < ROUNDS.TOTALS && likelihood.length > 0; round++) {
    const next = new Float64Array(n);
    for (const gene of likelihood) {
      weigh(gene);
      for (let i = 0; i < n; i++) next[i] += posterior[i] / likelihood.length;
    }
    share = next;
  }
  const shape = Float32Array.from(likelihood, (gene) => {
    weigh(gene);
    return quantileOf(posterior);
  });
  return { share, shape, ofOthers: quantileOf(share) };
}

/** Treats each shape's weight as spread evenly around it on the log scale. */
function quantileOf(weights: Float64Array): number {
  let below = 0;
  for (let i = 0; i < weights.length; i++) {
    if (below + weights[i] >= QUANTILE) {
      return Math.exp(Math.log(SHAPES[i]) + ((QUANTILE - below) / weights[i] - 0.5) * STEP);
    }
    below += weights[i];
  }
  return SHAPES[SHAPES.length - 1];
}
