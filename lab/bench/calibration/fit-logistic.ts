import { probability } from "@stipple/pipeline/cell-types";
import { solve } from "./solve.ts";

const ROUNDS = 60;
/** Strength of the prior pulling each weight toward its start, in cells. */
const PULL = 10;
/** Strength of the prior for the constant, so that there is always a unique solution. */
const MIN_PULL = 0.05;

export interface WeighedCell {
  signals: readonly number[];
  right: boolean;
  weight: number;
}

/**
 * Fits the weights of a logistic map by Newton's method, with a Gaussian prior around `before`; the first
 * weight, the constant, is free. Other weights are kept at or above 0, so that more evidence never means less
 * confidence, except those that `maySink`.
 */
export function fitLogistic(
  cells: readonly WeighedCell[],
  before: readonly number[],
  maySink: (signal: number) => boolean = () => false,
): number[] {
  const start = [...before];
  let free = [...start.keys()];
  let weights = start;
  for (;;) {
    weights = newton(cells, start, free);
    const negative = free.filter((i) => i > 0 && !maySink(i) && weights[i] < 0);
    if (negative.length === 0) return weights;
    const worst = negative.reduce((a, b) => (weights[b] < weights[a] ? b : a));
    free = free.filter((i) => i !== worst);
    start[worst] = 0;
  }
}

function pullOf(signal: number): number {
  return signal === 0 ? MIN_PULL : PULL;
}

function newton(
  cells: readonly WeighedCell[],
  start: readonly number[],
  free: readonly number[],
): number[] {
  const weights = [...start];
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = free.map((i) => pullOf(i) * (start[i] - weights[i]));
    const hessian = free.map((i, a) => free.map((_, b) => (a === b ? pullOf(i) : 0)));
    for (const { signals, right, weight } of cells) {
      const p = probability(weights, signals);
      const spread = weight * p * (1 - p);
      free.forEach((i, a) => {
        gradient[a] += weight * ((right ? 1 : 0) - p) * signals[i];
        free.forEach((j, b) => (hessian[a][b] += spread * signals[i] * signals[j]));
      });
    }
    const step = solve(hessian, gradient);
    const longest = Math.max(...step.map(Math.abs));
    const damp = Math.min(1, 2 / Math.max(1e-12, longest));
    free.forEach((i, a) => (weights[i] += damp * step[a]));
    if (longest < 1e-6) break;
  }
  return weights;
}
