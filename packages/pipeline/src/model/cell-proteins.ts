import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import type { StepContext } from "../step.ts";
import { denseRow, transpose } from "@stipple/numerics/sparse";

/** Proteins of cells. Antibodies are counted by spots, so nothing tells the cells of one spot apart. */
export interface CellProteins {
  names: readonly string[];
  /** Values of one protein: one per cell, NaN where no spot is within reach. O(nCells). */
  column(protein: number): Float32Array;
}

/**
 * Counts of each spot divided by their geometric mean, as logarithms: the centered log ratio with a pseudocount that
 * Seurat uses for antibodies (Stoeckius et al. 2017, doi:10.1038/nmeth.4380). A spot's background and yield cancel out,
 * and zero stays zero.
 * @param counts nSpots × nProteins
 */
export function normalizedProteins(counts: SparseMatrix): SparseMatrix {
  const { nRows, nCols, indptr } = counts;
  const data = new Float32Array(counts.data.length);
  for (let spot = 0; spot < nRows; spot++) {
    let logs = 0;
    for (let k = indptr[spot]; k < indptr[spot + 1]; k++) logs += Math.log1p(counts.data[k]);
    const mean = Math.exp(logs / nCols);
    for (let k = indptr[spot]; k < indptr[spot + 1]; k++) {
      data[k] = Math.log1p(counts.data[k] / mean);
    }
  }
  return { ...counts, data };
}

/** The proteins of a sample's cells; null if none were counted. */
export async function readCellProteins({
  read,
  readIfAny,
}: Pick<StepContext, "read" | "readIfAny">): Promise<CellProteins | null> {
  const names = await readIfAny("proteins/name");
  if (!names) return null;
  return cellProteins(names, await read("spots/protein_counts"), {
    spot: await read("cells/near_spot"),
    weight: await read("cells/near_weight"),
  });
}

/**
 * Normalized proteins of cells: the weighted mean of the spots around each.
 * @param near nCells × k: spots around each cell, −1 for none, and their weights, which sum to 1
 */
export function cellProteins(
  names: readonly string[],
  counts: SparseMatrix,
  near: { spot: Matrix<Int32Array>; weight: Matrix<Float32Array> },
): CellProteins {
  const spotsOf = transpose(normalizedProteins(counts));
  const { nRows, nCols } = near.spot;
  return {
    names,
    column(protein) {
      const ofSpot = denseRow(spotsOf, protein);
      return Float32Array.from({ length: nRows }, (_, cell) => {
        let [sum, total] = [0, 0];
        for (let k = cell * nCols; k < (cell + 1) * nCols; k++) {
          const spot = near.spot.data[k];
          if (spot < 0) continue;
          sum += near.weight.data[k] * ofSpot[spot];
          total += near.weight.data[k];
        }
        return total > 0 ? sum / total : NaN;
      });
    },
  };
}
