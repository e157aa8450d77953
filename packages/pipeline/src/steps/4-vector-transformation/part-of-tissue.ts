import type { SparseMatrix } from "@stipple/numerics/matrices";
import { pickRows } from "@stipple/numerics/dense";
import { transpose } from "@stipple/numerics/sparse";
import type { TissueData } from "./fit-expression.ts";
import { SAMPLES } from "../../model/limits.ts";

const { HELDOUT_ENTRIES: MAX_ENTRIES, HELDOUT_CELLS: MAX_CELLS } = SAMPLES;

/** Number of spots with at most about {@link MAX_ENTRIES} counts and {@link MAX_CELLS} cells. */
export function mostSpots({ byGene, cellsXy, overlap }: TissueData): number {
  const perSpot = byGene.indices.length / Math.max(1, byGene.nCols);
  const cellsPerSpot = cellsXy.nRows / Math.max(1, spotsWithCells(overlap).length);
  return Math.ceil(Math.min(MAX_ENTRIES / Math.max(1, perSpot), MAX_CELLS / cellsPerSpot));
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
  const blocks = new Map<string, number[]>();
  for (const s of spots) {
    const x = Math.floor(tissue.spotsXy.data[2 * s] / sidePx);
    const y = Math.floor(tissue.spotsXy.data[2 * s + 1] / sidePx);
    const key = `${x},${y}`;
    const block = blocks.get(key);
    if (block) block.push(s);
    else blocks.set(key, [s]);
  }
  return [...blocks.values()];
}

/** The tissue reduced to some spots, the cells they capture, and some genes. */
export function restrict(
  tissue: TissueData,
  spots: readonly number[],
  genes: readonly number[],
): TissueData {
  const { overlap, byGene, features, cellsXy, spotsXy, spotPca } = tissue;
  const cellAt = new Int32Array(overlap.nCols).fill(-1);
  for (const s of spots) {
    for (let k = overlap.indptr[s]; k < overlap.indptr[s + 1]; k++) cellAt[overlap.indices[k]] = 0;
  }
  const cells: number[] = [];
  for (let c = 0; c < cellAt.length; c++) if (cellAt[c] === 0) cellAt[c] = cells.push(c) - 1;
  const spotAt = new Int32Array(overlap.nRows).fill(-1);
  spots.forEach((s, i) => (spotAt[s] = i));
  return {
    overlap: pick(overlap, spots, cellAt, cells.length),
    // Spots are numbered by block, not in order, so transpose twice to sort the rows again.
    byGene: transpose(transpose(pick(byGene, genes, spotAt, spots.length))),
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

function pick(
  matrix: SparseMatrix,
  rows: readonly number[],
  columnAt: Int32Array,
  nCols: number,
): SparseMatrix {
  const indptr = new Uint32Array(rows.length + 1);
  const most = rows.reduce((n, row) => n + matrix.indptr[row + 1] - matrix.indptr[row], 0);
  const indices = new Uint32Array(most);
  const data = new Float32Array(most);
  let to = 0;
  rows.forEach((row, i) => {
    for (let k = matrix.indptr[row]; k < matrix.indptr[row + 1]; k++) {
      const column = columnAt[matrix.indices[k]];
      if (column < 0) continue;
      indices[to] = column;
      data[to++] = matrix.data[k];
    }
    indptr[i + 1] = to;
  });
  return {
    nRows: rows.length,
    nCols,
    indptr,
    indices: indices.slice(0, to),
    data: data.slice(0, to),
  };
}
