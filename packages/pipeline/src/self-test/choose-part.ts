import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { chooseColumns, chooseRows } from "@stipple/numerics/sparse";

/** Part of a sample small enough to be reanalyzed in seconds. */
export interface SamplePart {
  /** Indices of the sample's cells and spots, ascending. */
  cells: Uint32Array;
  spots: Uint32Array;
  /** Overlap of those spots with those cells. */
  overlap: SparseMatrix;
}

/**
 * A square around the middle of the cells that contains about `maxCells` of them, with the spots inside it; the whole
 * sample if it is smaller. O(nCells log nCells + entries).
 */
export function choosePart(
  cellsXy: Matrix<Float32Array>,
  spotsXy: Matrix<Float64Array>,
  overlap: SparseMatrix,
  maxCells: number,
): SamplePart {
  const x = medianOf(cellsXy.data, 0);
  const y = medianOf(cellsXy.data, 1);
  const reach = (xy: ArrayLike<number>, i: number): number =>
    Math.max(Math.abs(xy[2 * i] - x), Math.abs(xy[2 * i + 1] - y));
  let limit = Infinity;
  if (cellsXy.nRows > maxCells) {
    const reaches = Float64Array.from({ length: cellsXy.nRows }, (_, i) => reach(cellsXy.data, i));
    limit = reaches.sort()[maxCells - 1];
  }
  const within = (xy: ArrayLike<number>, n: number): Uint32Array =>
    Uint32Array.from(Array.from({ length: n }, (_, i) => i).filter((i) => reach(xy, i) <= limit));
  const cells = within(cellsXy.data, cellsXy.nRows);
  const spots = within(spotsXy.data, spotsXy.nRows);
  return { cells, spots, overlap: chooseColumns(chooseRows(overlap, [...spots]), [...cells]) };
}

function medianOf(xy: ArrayLike<number>, offset: 0 | 1): number {
  const values = Float64Array.from({ length: xy.length / 2 }, (_, i) => xy[2 * i + offset]).sort();
  return values[values.length >> 1] ?? 0;
}
