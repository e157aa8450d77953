import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pickRows } from "@stipple/numerics/dense";
import { chooseColumns, chooseRows, transpose } from "@stipple/numerics/sparse";
import type { TissueData } from "./fit-expression.ts";
import { SAMPLES } from "../../model/limits.ts";

/** Number of spots with at most about {@link SAMPLES.HELDOUT_ENTRIES} counts and {@link SAMPLES.HELDOUT_CELLS} cells. */
export function mostSpots({ byGene, cellsXy, overlap }: TissueData): number {
  const perSpot = byGene.indices.length / Math.max(1, byGene.nCols);
  const cellsPerSpot = cellsXy.nRows / Math.max(1, spotsWithCells(overlap).length);
  return Math.ceil(
    Math.min(SAMPLES.HELDOUT_ENTRIES / Math.max(1, perSpot), SAMPLES.HELDOUT_CELLS / cellsPerSpot),
  );
}

/** Spots that capture a cell. */
export function spotsWithCells(overlap: SparseMatrix): number[] {
  const spots: number[] = [];
  for (let s = 0; s < overlap.nRows; s++) {
    if (overlap.indptr[s + 1] > overlap.indptr[s]) spots.push(s);
  }
  return spots;
}

/** Groups spots into square blocks of the given side, in order of position. */
export function blocksOf(
  tissue: Pick<TissueData, "spotsXy">,
  spots: readonly number[],
  sidePx: number,
): number[][] {
  const { data } = tissue.spotsXy;
  const block = (at: number): number => Math.floor(data[at] / sidePx);
  return [...Map.groupBy(spots, (s) => `${block(2 * s)},${block(2 * s + 1)}`).values()];
}

/** Some rows of the overlap matrix, numbered by position, and the cells that they capture, ascending. */
export function capturedBy(
  overlap: SparseMatrix,
  spots: readonly number[],
): { captured: SparseMatrix; cells: number[] } {
  const rows = chooseRows(overlap, spots);
  const cells = [...new Set(rows.indices)].sort((a, b) => a - b);
  return { captured: chooseColumns(rows, cells), cells };
}

/** The tissue reduced to some spots, the cells they capture, and some genes. */
export function restrict(
  tissue: TissueData,
  spots: readonly number[],
  genes: readonly number[],
): TissueData {
  const { overlap, byGene, features, cellsXy, spotsXy, spotPca } = tissue;
  const { captured, cells } = capturedBy(overlap, spots);
  return {
    overlap: captured,
    // Spots are numbered by block, not in order, so transpose twice to sort the rows again.
    byGene: transpose(transpose(chooseColumns(chooseRows(byGene, genes), spots))),
    features: { data: pickRows(features.data, features.nCols, cells), nCols: features.nCols },
    cellsXy: { data: pickRows(cellsXy.data, 2, cells), nRows: cells.length },
    spotsXy: {
      data: Float64Array.from(spots.flatMap((s) => [spotsXy.data[2 * s], spotsXy.data[2 * s + 1]])),
      nRows: spots.length,
    },
    spotPca: { data: pickRows(spotPca.data, spotPca.nCols, spots), nCols: spotPca.nCols },
    looks: tissue.looks.map(({ data, k }) => ({ data: pickRows(data, k, cells), k })),
    ...(tissue.dispersion !== undefined && { dispersion: tissue.dispersion }),
    pitchPx: tissue.pitchPx,
    unevenSpots: tissue.unevenSpots,
  };
}
