import type { SparseMatrix } from "@stipple/numerics/matrices";
import { capturingSpots, type NearestSpots } from "../../model/nearest-spots.ts";
import { multiplyDense, rowSums, transpose } from "@stipple/numerics/sparse";
import type { StepContext } from "../../step.ts";
import type { Allocation } from "./allocation.ts";
import { scaleByRichness } from "./cell-richness.ts";
import type { ExpressionFit } from "./fit-expression.ts";
import { FEATURES } from "../../model/constants.ts";
import { SAMPLES } from "../../model/limits.ts";

/** Counts of the finest bins, by cell. */
export interface FineCountsOfCells extends Allocation {
  /** nCells × nCells: how much of each cell (column) is captured by the bins of each cell (row). */
  capture: SparseMatrix;
  /** Capture efficiency of each cell's bins. */
  efficiency: Float32Array;
  /** By gene, over all finest bins. */
  total: Float64Array;
}

/** The cells' own counts from step 3; null if the sample has no finer bins. */
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

/** Rates based on the finest bins. */
export interface FineEvidence {
  /** The model, with each cell scaled by the RNA content of its bins. */
  fit: ExpressionFit;
  /** nCells × k: exposure of each cell's bins to each prototype. */
  exposure: Float32Array;
  near: NearestSpots;
  /** UMIs of each cell's bins. */
  total: Float64Array;
  /** nGenes × nCells. */
  byGene: SparseMatrix;
}

/**
 * Uses the 2 µm bins as evidence for the cells' rates: all bins of a cell are treated as one bin that captures this
 * cell and part of its neighbors. Rows of M are scaled by the cell's richness as with larger bins (`scaleByRichness`),
 * from the stripe-corrected totals of the three cells whose bins capture most of it. O(entries · k).
 */
export function fineEvidence(
  fit: ExpressionFit,
  { counts, capture, efficiency }: FineCountsOfCells,
  overlap: SparseMatrix,
): FineEvidence {
  const { k } = fit;
  const total = rowSums(counts);
  const { membership, exposure } = scaleByRichness(
    { ...fit, exposure: multiplyDense(capture, fit.membership, k) },
    capturingSpots(capture, SAMPLES.RICHNESS_CELLS),
    total.map((sum, cell) => sum / efficiency[cell]),
    capture,
  );
  return {
    fit: { ...fit, membership, exposure: multiplyDense(overlap, membership, k) },
    exposure,
    near: capturingSpots(capture, FEATURES.NEAR_SPOTS),
    total,
    byGene: transpose(counts),
  };
}

/** Writes the data from which rates are computed, see `model/evidence.ts`. */
export async function writeFineEvidence(
  { write }: Pick<StepContext, "write">,
  { fit, exposure, near, total, byGene }: FineEvidence,
): Promise<void> {
  const nRows = total.length;
  const shape = { nRows, nCols: near.width };
  await write("cells/fine_exposure", { nRows, nCols: fit.k, data: exposure });
  await write("cells/near_fine", { ...shape, data: near.spot });
  await write("cells/near_fine_weight", { ...shape, data: near.weight });
  await write("cells/fine_total", total);
  await write("genes/fine_counts", byGene);
}
