import type { SparseMatrix } from "@stipple/numerics/matrices";
import { multiplyDense } from "@stipple/numerics/sparse";
import type { ExpressionFit } from "./fit-expression.ts";
import type { NearestSpots } from "../../model/nearest-spots.ts";
import { prototypeTotals, timesPrototypes } from "../../model/prototype-sums.ts";
import { EFFICIENCY } from "../../model/constants.ts";

/**
 * Scales each cell's memberships by the ratio of observed to expected total RNA in the bins that capture it, over all
 * genes: (Σ_s w_cs t_s + 30) / (Σ_s w_cs μ_s + 30). On an HD slide a cell has a few bins of its own, so their total
 * measures its RNA content; on a Visium slide a spot's total mixes many cells and the spot's efficiency.
 * Rows of M then sum to the cell's richness. O(nCells · (k + width) + nSpots · k).
 */
export function scaleByRichness(
  fit: ExpressionFit,
  near: NearestSpots,
  totals: Float64Array,
  overlap: SparseMatrix,
): ExpressionFit {
  const { k, profile, exposure } = fit;
  const expected = timesPrototypes(exposure, prototypeTotals(profile, k));
  const { width, spot, weight } = near;
  const membership = fit.membership.slice();
  for (let c = 0; c < spot.length / width; c++) {
    let above = EFFICIENCY.PSEUDO_COUNT;
    let below = EFFICIENCY.PSEUDO_COUNT;
    for (let n = c * width; n < (c + 1) * width; n++) {
      if (spot[n] < 0) continue;
      above += weight[n] * totals[spot[n]];
      below += weight[n] * expected[spot[n]];
    }
    for (let j = 0; j < k; j++) membership[c * k + j] *= above / below;
  }
  return { ...fit, membership, exposure: multiplyDense(overlap, membership, k) };
}
