/** Shapes that are tried: from "the cell's own bins alone" to "the model alone". */
export const SHAPES = [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300] as const;
const ROUNDS = 100;
/** A gene's shape is this quantile of its posterior, the smallest value that its counts do not contradict: see decision 54. */
const QUANTILE = 0.05;
/** Distance of neighboring shapes, by the logarithm. */
const STEP = Math.log(SHAPES[1] / SHAPES[0]);

/** How often each of SHAPES occurs among genes, and the shape of every gene. */
export interface PriorShapes {
  share: Float64Array;
  /** Of the genes that were judged, in their order. */
  shape: Float32Array;
  /** Of a gene of which nothing is known. */
  ofOthers: number;
}

/**
 * Shapes of genes from the log-likelihood of each of SHAPES, one array a gene. How often each shape occurs is fitted to
 * all genes by expectation–maximization (empirical Bayes without a form, Laird 1978); a gene's shape is the lower bound
 * (5 %) of what its own counts then leave likely. So genes of few counts share what the others show, and in doubt the bins
 * lead.
 * O(genes · shapes · rounds).
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
  for (let round = 0; round < ROUNDS && likelihood.length > 0; round++) {
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

/** Each shape's weight is taken to lie evenly around it, by the logarithm. */
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
