import { pearson } from "@stipple/numerics/pearson";
import { median } from "@stipple/numerics/quantile";
import { interpolate, nearestSpots } from "../../../model/nearest-spots.ts";
import { exposureOf, solveProfiles } from "../profiles.ts";
import type { SyntheticTissue } from "./synthetic-tissue.ts";
import { multiplyDense, transpose } from "@stipple/numerics/sparse";

/** Median per-gene Pearson correlation with the true counts over all cells; a constant prediction counts as 0. */
export interface Accuracy {
  all: number;
  /** Over the quarter of genes whose true counts vary most relative to their mean. */
  variable: number;
}

/** Evaluates gene-by-gene predictions against the ground truth of a synthetic tissue. */
export function accuracy(
  tissue: SyntheticTissue,
  column: (gene: number) => ArrayLike<number>,
): Accuracy {
  const { nCells, nGenes, truth } = tissue;
  const scores = new Float64Array(nGenes);
  const dispersion = new Float64Array(nGenes);
  const actual = new Float32Array(nCells);
  for (let g = 0; g < nGenes; g++) {
    let sum = 0;
    let squares = 0;
    for (let c = 0; c < nCells; c++) {
      actual[c] = truth[c * nGenes + g];
      sum += actual[c];
      squares += actual[c] ** 2;
    }
    dispersion[g] = sum > 0 ? squares / sum - sum / nCells : 0;
    scores[g] = pearson(column(g), actual) || 0;
  }
  const order = Array.from(dispersion.keys()).sort((a, b) => dispersion[b] - dispersion[a]);
  return {
    all: median(scores),
    variable: median(order.slice(0, nGenes >> 2).map((g) => scores[g])),
  };
}

/** Column reader of a dense cells × genes matrix. */
export function columnsOf(
  dense: ArrayLike<number>,
  nGenes: number,
): (gene: number) => Float32Array {
  return (gene) => {
    const column = new Float32Array(dense.length / nGenes);
    for (let c = 0; c < column.length; c++) column[c] = dense[c * nGenes + gene];
    return column;
  };
}

/** Model-free baselines: counts of the nearest spot, and a Gaussian-weighted mean of the nearest seven. */
export function baselines(tissue: SyntheticTissue): {
  nearest: Accuracy;
  interpolation: Accuracy;
} {
  const { counts, nGenes, cellsXy, spotsXy } = tissue;
  const dense = new Float32Array(counts.nRows * nGenes);
  for (let s = 0; s < counts.nRows; s++) {
    for (let k = counts.indptr[s]; k < counts.indptr[s + 1]; k++) {
      dense[s * nGenes + counts.indices[k]] = counts.data[k];
    }
  }
  const judge = (width: number): Accuracy => {
    const near = nearestSpots(cellsXy, spotsXy, { lengthPx: 80, width, always: true });
    return accuracy(tissue, columnsOf(interpolate(near, dense, nGenes), nGenes));
  };
  return { nearest: judge(1), interpolation: judge(7) };
}

/** True positions and types with profiles fitted from the spots: what perfect use of morphology would achieve. */
export function trueTypesFitted(tissue: SyntheticTissue): Accuracy {
  const { nCells, nGenes, type } = tissue;
  const k = type.reduce((most, t) => Math.max(most, t), 0) + 1;
  const members = new Float32Array(nCells * k);
  for (let c = 0; c < nCells; c++) members[c * k + type[c]] = 1;
  const exposure = exposureOf(multiplyDense(tissue.overlap, members, k), k, { cells: 1 });
  const profile = solveProfiles({ exposure, byGene: transpose(tissue.counts), rounds: 60 });
  return accuracy(tissue, (g) => Float32Array.from(type, (t) => profile[t * nGenes + g]));
}
