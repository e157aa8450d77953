import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { principalAxes, projectOn } from "@stipple/numerics/principal-axes";
import type { Random } from "@stipple/numerics/random";

/**
 * Poisson counts of spots, nSpots × nGenes, that capture cells (nSpots × nCells) of the given expression (nCells × nGenes)
 * with an efficiency of their own. O(entries of `capture` · genes).
 */
export function drawSpots(
  random: Random,
  capture: SparseMatrix,
  expression: Float32Array,
  nGenes: number,
  efficiency: ArrayLike<number>,
): SparseMatrix {
  const indptr = new Uint32Array(capture.nRows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  const expected = new Float64Array(nGenes);
  for (let s = 0; s < capture.nRows; s++) {
    expected.fill(0);
    for (let k = capture.indptr[s]; k < capture.indptr[s + 1]; k++) {
      const weight = capture.data[k] * efficiency[s];
      const at = capture.indices[k] * nGenes;
      for (let g = 0; g < nGenes; g++) expected[g] += weight * expression[at + g];
    }
    for (let g = 0; g < nGenes; g++) {
      const count = random.poisson(expected[g]);
      if (count > 0) {
        indices.push(g);
        data.push(count);
      }
    }
    indptr[s + 1] = indices.length;
  }
  return {
    nRows: capture.nRows,
    nCols: nGenes,
    indptr,
    indices: Uint32Array.from(indices),
    data: Float32Array.from(data),
  };
}

/** The ten leading principal components of spots' log-normalized counts. */
export function spotComponents(counts: SparseMatrix): Matrix<Float32Array> {
  const { nRows, nCols, indptr, indices, data } = counts;
  const logs = new Float32Array(nRows * nCols);
  for (let s = 0; s < nRows; s++) {
    let total = 0;
    for (let k = indptr[s]; k < indptr[s + 1]; k++) total += data[k];
    for (let k = indptr[s]; k < indptr[s + 1]; k++) {
      logs[s * nCols + indices[k]] = Math.log1p((1e4 * data[k]) / total);
    }
  }
  const axes = principalAxes(logs, nCols, 10);
  return { nRows, nCols: axes.nAxes, data: projectOn(axes, logs, nRows) };
}
