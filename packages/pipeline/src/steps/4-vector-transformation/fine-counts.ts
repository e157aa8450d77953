import type { Matrix, SparseMatrix } from "../../fields.ts";
import { capturingSpots, type NearestSpots } from "../../model/nearest-spots.ts";
import { multiplyDense, rowSums, transpose } from "../../numerics/sparse.ts";
import type { StepContext } from "../../step.ts";
import type { Allocation } from "./allocation.ts";
import { scaleByRichness } from "./cell-richness.ts";
import type { ExpressionFit, TissueData } from "./fit-expression.ts";
import type { OwnBins } from "./own-bins/learn-from-halves.ts";

/** Cells whose bins say how much RNA a cell holds: those that capture most of it. */
const RICHNESS_WIDTH = 3;

/** What the finest bins counted, by cell. */
export interface FineCountsOfCells extends Allocation {
  /** nCells × nCells: how much of each cell the bins of each cell (rows) capture. */
  capture: SparseMatrix;
  /** How well each cell's bins catch. */
  efficiency: Float32Array;
  /** By gene: all finest bins. */
  total: Float64Array;
}

/** The cells' own counts by step 3; null where the sample has no finer bins. */
export async function countsOfFineBins({
  read,
  readIfAny,
}: StepContext): Promise<FineCountsOfCells | null> {
  const counts = await readIfAny("cells/fine_counts");
  if (!counts) return null;
  return {
    counts,
    capture: await read("cells/fine_capture"),
    efficiency: await read("cells/fine_efficiency"),
    total: await read("genes/fine_total"),
    unassigned: await read("genes/fine_unassigned"),
  };
}

/** Rates that rest on the finest bins. */
export interface FineEvidence {
  /** The model, each cell scaled by how much RNA its bins hold. */
  fit: ExpressionFit;
  /** nCells × k: what the bins of each cell see of each prototype. */
  exposure: Float32Array;
  near: NearestSpots;
  /** UMIs of each cell's bins. */
  total: Float64Array;
  /** nGenes × nCells. */
  byGene: SparseMatrix;
}

/**
 * Makes the bins of 2 µm the evidence of the cells' rates: all that one cell owns stand for one bin, which captures that cell
 * and something of its neighbors. Rows of M are scaled by the cell's richness as with larger bins (`scaleByRichness`), from
 * the totals of the three cells whose bins capture most of it over the stripes that lie on them. O(entries · k).
 */
export function fineEvidence(
  fit: ExpressionFit,
  { counts, capture, efficiency }: FineCountsOfCells,
  exposeSpots: (membership: Float32Array, k: number) => Float32Array,
  width: number,
): FineEvidence {
  const { k } = fit;
  const exposeCells = (members: Float32Array): Float32Array => multiplyDense(capture, members, k);
  const total = rowSums(counts);
  const { membership, exposure } = scaleByRichness(
    { ...fit, exposure: exposeCells(fit.membership) },
    capturingSpots(capture, RICHNESS_WIDTH),
    total.map((sum, cell) => sum / efficiency[cell]),
    exposeCells,
  );
  return {
    fit: { ...fit, membership, exposure: exposeSpots(membership, k) },
    exposure,
    near: capturingSpots(capture, width),
    total,
    byGene: transpose(counts),
  };
}

/** What rates are learned from, cells in the place of bins. */
export function asOwnBins(
  { near, byGene }: FineEvidence,
  { capture }: FineCountsOfCells,
  { cellsXy, pitchPx }: Pick<TissueData, "cellsXy" | "pitchPx">,
): OwnBins {
  return { overlap: capture, byGene, near, spotsXy: cellsXy, pitchPx };
}

/** Writes what the rates are computed from, see `model/evidence.ts`. */
export async function writeFineEvidence(
  { write }: Pick<StepContext, "write">,
  { fit, exposure, near, total, byGene }: FineEvidence,
): Promise<void> {
  const nRows = total.length;
  const wide = <T extends Int32Array | Float32Array>(data: T): Matrix<T> => ({
    nRows,
    nCols: near.width,
    data,
  });
  await write("cells/fine_exposure", { nRows, nCols: fit.k, data: exposure });
  await write("cells/near_fine", wide(near.spot));
  await write("cells/near_fine_weight", wide(near.weight));
  await write("cells/fine_total", total);
  await write("genes/fine_counts", byGene);
}
