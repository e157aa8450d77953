import {
  fisher,
  spreadOf,
  type CorrelationTable,
} from "@stipple/pipeline/internal/steps/4-vector-transformation/cell-correlation";
import { solve } from "./solve.ts";
import type { Refusal } from "../judged-tissues/judge-all.ts";
import type { Judgment } from "../judged-tissues/judge.ts";
import { sectionOf } from "../judged-tissues/tissues.ts";
import type { JudgedGene } from "../judged-tissues/worth.ts";

/** Share of the genes of other tissues that lies between `low` and `high`. */
const COVERED = 0.8;
/** Shrinkage of each weight toward 0, in tissues. */
const PULL = 0.02;
/** Minimum number of evaluated genes for a tissue to be informative. */
const MIN_GENES = 30;

/** An evaluated tissue with its genes. */
export interface GeneTissue {
  judgment: Judgment;
  genes: JudgedGene[];
}

export function geneTissues(judged: readonly (Judgment | Refusal)[]): GeneTissue[] {
  return judged
    .filter((one) => "worth" in one)
    .map((judgment) => ({ judgment, genes: judgment.worth.genes }))
    .filter(({ genes }) => genes.length >= MIN_GENES);
}

/**
 * The map from a gene's features to its correlation over single cells, on the Fisher z scale: least squares with equal
 * weight for every tissue. The interval comes from leave-one-tissue-out cross-validation, so that it holds for new
 * tissues.
 */
export function fitCorrelation(tissues: readonly GeneTissue[]): CorrelationTable {
  const rest = tissues.flatMap((tissue) => {
    const weights = leastSquares(exceptSectionOf(tissue, tissues));
    return tissue.genes.map(({ signals, correlation }) => ({
      off: (fisher(correlation) - product(weights, signals)) / spreadOf(signals),
      weight: 1 / tissue.genes.length,
    }));
  });
  const at = (share: number): number => Number(quantile(rest, share).toFixed(4));
  return {
    weights: leastSquares(tissues).map((weight) => Number(weight.toFixed(4))),
    low: at((1 - COVERED) / 2),
    high: at((1 + COVERED) / 2),
  };
}

/** The tissues that are not made from the same section. */
export function exceptSectionOf(tissue: GeneTissue, all: readonly GeneTissue[]): GeneTissue[] {
  const section = sectionOf(tissue.judgment.tissue);
  return all.filter(({ judgment }) => sectionOf(judgment.tissue) !== section);
}

export function product(weights: readonly number[], signals: readonly number[]): number {
  return signals.reduce((sum, value, i) => sum + value * weights[i], 0);
}

/** Mean over a tissue's genes of signals × signals and of signals × truth. */
interface Moments {
  squares: Float64Array;
  right: Float64Array;
}

const known = new WeakMap<GeneTissue, Moments>();

/** Computed once per tissue, because many fits use it. */
function momentsOf(tissue: GeneTissue): Moments {
  const found = known.get(tissue);
  if (found) return found;
  const width = tissue.genes[0].signals.length;
  const moments = { squares: new Float64Array(width * width), right: new Float64Array(width) };
  for (const { signals, correlation } of tissue.genes) {
    const z = fisher(correlation) / tissue.genes.length;
    for (let i = 0; i < width; i++) {
      const weighed = signals[i] / tissue.genes.length;
      moments.right[i] += signals[i] * z;
      for (let j = 0; j < width; j++) moments.squares[i * width + j] += weighed * signals[j];
    }
  }
  known.set(tissue, moments);
  return moments;
}

function leastSquares(tissues: readonly GeneTissue[]): number[] {
  const width = tissues[0]?.genes[0]?.signals.length ?? 0;
  const all = tissues.map(momentsOf);
  const sum = (of: (moments: Moments) => number): number =>
    all.reduce((total, moments) => total + of(moments), 0);
  return solve(
    Array.from({ length: width }, (_, i) =>
      Array.from(
        { length: width },
        (_, j) => sum(({ squares }) => squares[i * width + j]) + (i === j && i > 0 ? PULL : 0),
      ),
    ),
    Array.from({ length: width }, (_, i) => sum(({ right }) => right[i])),
  );
}

function quantile(values: readonly { off: number; weight: number }[], share: number): number {
  const sorted = values.toSorted((a, b) => a.off - b.off);
  let left = share * sorted.reduce((sum, { weight }) => sum + weight, 0);
  return sorted.find(({ weight }) => (left -= weight) <= 0)?.off ?? 0;
}
