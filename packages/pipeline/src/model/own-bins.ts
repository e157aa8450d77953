import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { multiplyDense, transpose } from "@stipple/numerics/sparse";

/** What the bins that capture each cell say about it. */
export interface OwnBins {
  /**
   * Observed over expected counts of a gene around each cell, Σ_s w_cs y_s / Σ_s w_cs μ_s, in memory that the next call
   * reuses; 1 for cells without bins. `b`: the gene's rate in each prototype. O(cells whose bins count it · k).
   */
  ratios(
    counts: { indices: ArrayLike<number>; data: ArrayLike<number> },
    b: Float64Array,
  ): Float64Array;
}

/**
 * Opens cells' bins and their weights. Sums over a cell's bins are compared, not single bins, because a bin that hardly
 * reaches the cell would otherwise have a ratio as large as it is uncertain. `exposure` is nBins × k.
 */
export function ownBins({
  exposure,
  nearSpot,
  nearWeight,
}: {
  exposure: Matrix<Float32Array>;
  nearSpot: Matrix<Int32Array>;
  nearWeight: Matrix<Float32Array>;
}): OwnBins {
  const k = exposure.nCols;
  const { nRows: nCells, nCols: width } = nearSpot;
  const binsOf = capturing(nearSpot, nearWeight, exposure.nRows);
  const exposed = multiplyDense(binsOf, exposure.data, k);
  const cellsOf = transpose(binsOf);
  const ratio = Float64Array.from({ length: nCells }, (_, cell) =>
    nearSpot.data[cell * width] < 0 ? 1 : 0,
  );
  const counted = new Uint32Array(nCells);
  let nCounted = 0;
  return {
    ratios({ indices, data }, b) {
      for (let i = 0; i < nCounted; i++) ratio[counted[i]] = 0;
      nCounted = 0;
      for (let e = 0; e < indices.length; e++) {
        if (data[e] === 0) continue;
        const end = cellsOf.indptr[indices[e] + 1];
        for (let i = cellsOf.indptr[indices[e]]; i < end; i++) {
          const cell = cellsOf.indices[i];
          if (ratio[cell] === 0) counted[nCounted++] = cell;
          ratio[cell] += cellsOf.data[i] * data[e];
        }
      }
      for (let i = 0; i < nCounted; i++) {
        const cell = counted[i];
        let expected = 0;
        for (let j = 0, at = cell * k; j < k; j++, at++) expected += exposed[at] * b[j];
        ratio[cell] = expected > 0 ? ratio[cell] / expected : 0;
      }
      return ratio;
    },
  };
}

/** The bins of each cell and their weights, nCells × nBins, without those of weight 0. */
function capturing(
  near: Matrix<Int32Array>,
  weight: Matrix<Float32Array>,
  nBins: number,
): SparseMatrix {
  const indptr = new Uint32Array(near.nRows + 1);
  const indices = new Uint32Array(near.data.length);
  const data = new Float32Array(near.data.length);
  let n = 0;
  for (let i = 0; i < near.data.length; i++) {
    if (near.data[i] >= 0 && weight.data[i] > 0) {
      indices[n] = near.data[i];
      data[n++] = weight.data[i];
    }
    if ((i + 1) % near.nCols === 0) indptr[(i + 1) / near.nCols] = n;
  }
  return {
    nRows: near.nRows,
    nCols: nBins,
    indptr,
    indices: indices.slice(0, n),
    data: data.slice(0, n),
  };
}
