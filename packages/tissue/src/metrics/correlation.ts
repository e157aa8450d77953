import { meanRanks } from "@stipple/numerics/mean-ranks";
import type { SparseMatrix } from "@stipple/numerics/matrices";

/** Fills `row` (zeroed) with a method's prediction for a true cell, in the truth's gene order. */
export type CellPrediction = (cell: number, row: Float32Array) => void;

/**
 * Pearson correlation of each gene over all true cells. A gene that is constant in either scores 0, because
 * uninformative predictions must not be left out. O(cells × genes), one row in memory.
 */
export function pearsonPerGene(truth: SparseMatrix, predict: CellPrediction): Float64Array {
  const { nRows, nCols } = truth;
  const meanX = new Float64Array(nCols);
  const meanY = new Float64Array(nCols);
  const xx = new Float64Array(nCols);
  const yy = new Float64Array(nCols);
  const xy = new Float64Array(nCols);
  const row = new Float32Array(nCols);
  const known = new Float32Array(nCols);
  for (let cell = 0; cell < nRows; cell++) {
    row.fill(0);
    predict(cell, row);
    known.fill(0);
    for (let k = truth.indptr[cell]; k < truth.indptr[cell + 1]; k++) {
      known[truth.indices[k]] = truth.data[k]!;
    }
    // Welford's update keeps the sums accurate at any scale.
    for (let gene = 0; gene < nCols; gene++) {
      const dx = row[gene] - meanX[gene];
      const dy = known[gene] - meanY[gene];
      meanX[gene] += dx / (cell + 1);
      meanY[gene] += dy / (cell + 1);
      const restY = known[gene] - meanY[gene];
      xx[gene] += dx * (row[gene] - meanX[gene]);
      yy[gene] += dy * restY;
      xy[gene] += dx * restY;
    }
  }
  return xy.map((value, gene) => {
    const scale = Math.sqrt(xx[gene] * yy[gene]);
    return scale > 0 ? value / scale : 0;
  });
}

export function pearson(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const n = a.length;
  let meanA = 0;
  let meanB = 0;
  for (let i = 0; i < n; i++) {
    meanA += a[i] / n;
    meanB += b[i] / n;
  }
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let i = 0; i < n; i++) {
    const da = a[i] - meanA;
    const db = b[i] - meanB;
    aa += da * da;
    bb += db * db;
    ab += da * db;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

export function spearman(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return pearson(meanRanks(a), meanRanks(b));
}
