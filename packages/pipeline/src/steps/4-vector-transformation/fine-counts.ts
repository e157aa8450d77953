import type { SparseMatrix } from "../../fields.ts";
import { rowSums } from "../../numerics/sparse.ts";
import type { StepContext } from "../../step.ts";
import type { Allocation } from "./allocation.ts";
import type { ExpressionFit } from "./fit-expression.ts";

/** Counts added to observed and expected totals before their ratio is taken. */
const PSEUDO_COUNT = 30;

/** What the finest bins counted, by cell, and how well each cell's bins catch. */
export interface FineCountsOfCells extends Allocation {
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
    efficiency: await read("cells/fine_efficiency"),
    total: await read("genes/fine_total"),
    unassigned: await read("genes/fine_unassigned"),
  };
}

/**
 * Scales each observed cell's memberships by how much more RNA its own finest bins hold than the model expects, all genes
 * together: (n_c / f_c + 30) / (g·R_c + 30). n_c is what the cell's bins counted, f_c how well they catch (stripes), R_c
 * the model's total and g the share of it that own bins hold, over all cells. Rows of M then sum to the cell's richness.
 * O(entries + nCells · k).
 */
export function scaleByOwnCounts(
  fit: ExpressionFit,
  { counts, efficiency }: { counts: SparseMatrix; efficiency: Float32Array },
  observed: Uint8Array,
  expose: (membership: Float32Array, k: number) => Float32Array,
): ExpressionFit {
  const { k, profile } = fit;
  const nGenes = profile.length / k;
  const perPrototype = new Float64Array(k);
  for (let j = 0; j < k; j++) {
    for (let g = 0; g < nGenes; g++) perPrototype[j] += profile[j * nGenes + g];
  }
  const own = rowSums(counts).map((total, cell) => total / efficiency[cell]);
  const expected = own.map((_, cell) => {
    let sum = 0;
    for (let j = 0; j < k; j++) sum += fit.membership[cell * k + j] * perPrototype[j];
    return sum;
  });
  let [held, modeled] = [0, 0];
  observed.forEach((seen, cell) => {
    if (!seen) return;
    held += own[cell];
    modeled += expected[cell];
  });
  const share = modeled > 0 ? held / modeled : 0;
  const membership = fit.membership.slice();
  observed.forEach((seen, cell) => {
    if (!seen || share === 0) return;
    const factor = (own[cell] + PSEUDO_COUNT) / (share * expected[cell] + PSEUDO_COUNT);
    for (let j = 0; j < k; j++) membership[cell * k + j] *= factor;
  });
  return { ...fit, membership, exposure: expose(membership, k) };
}
