import { spreadOf } from "@stipple/pipeline/internal/steps/4-vector-transformation/cell-correlation";
import { median } from "@stipple/numerics/quantile";
import { nameOf } from "../judged-tissues/name-of.ts";
import { exceptSectionOf, fitCorrelation, product, type GeneTissue } from "./fit-correlation.ts";

/** How well the expected correlation of genes fits one tissue, using a map not fitted on it. */
export interface CorrelationFigures {
  name: string;
  genes: number;
  /** Medians over the evaluated genes. */
  heldout: number;
  expected: number;
  actual: number;
  /** Medians over the reliable genes; null if there are none. */
  reliable: { genes: number; expected: number; actual: number } | null;
  /** Share of genes whose correlation lies in its interval. */
  covered: number;
}

/** Index of the held-out correlation among the signals. */
const HELDOUT = 2;

export function correlationFigures(
  tissue: GeneTissue,
  all: readonly GeneTissue[],
): CorrelationFigures {
  const map = fitCorrelation(exceptSectionOf(tissue, all));
  const genes = tissue.genes.map(({ signals, correlation, reliable }) => {
    const z = product(map.weights, signals);
    const off = (Math.atanh(correlation) - z) / spreadOf(signals);
    const isCovered = off >= map.low && off <= map.high;
    return {
      expected: Math.tanh(z),
      correlation,
      reliable,
      isCovered,
      heldout: Math.tanh(signals[HELDOUT]),
    };
  });
  const medians = (own: typeof genes): { expected: number; actual: number } => ({
    expected: rounded(median(own.map(({ expected }) => expected))),
    actual: rounded(median(own.map(({ correlation }) => correlation))),
  });
  const reliable = genes.filter((gene) => gene.reliable);
  return {
    name: nameOf(tissue.judgment.tissue),
    genes: genes.length,
    heldout: rounded(median(genes.map(({ heldout }) => heldout))),
    ...medians(genes),
    reliable: reliable.length === 0 ? null : { genes: reliable.length, ...medians(reliable) },
    covered: rounded(genes.filter(({ isCovered }) => isCovered).length / genes.length),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
