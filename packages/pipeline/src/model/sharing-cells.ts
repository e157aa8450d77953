import type { Evidence } from "./evidence.ts";
import type { SparseMatrix } from "@stipple/numerics/matrices";
import { placesByValue } from "@stipple/numerics/places-by-value";
import { keepColumns } from "@stipple/numerics/sparse";

/**
 * The cells that share each spot's counts and their capture weights, nSpots × nCells. A bin is shared among the cells
 * that it captures; a spot, which also represents the cells around it, evenly among all cells assigned to it.
 */
export function sharingCells({
  evidence,
  overlap,
  observed,
  spotOf,
}: {
  evidence: Pick<Evidence, "ownBins">;
  /** spots/cells, nSpots × nCells; the others are the fields cells/observed and cells/spot. */
  overlap: SparseMatrix;
  observed: Uint8Array;
  spotOf: Int32Array;
}): SparseMatrix {
  return evidence.ownBins ? keepColumns(overlap, observed) : ownCells(overlap.nRows, spotOf);
}

/** Each spot's own cells, with equal capture: those that it covers most of or is nearest to. O(nCells). */
function ownCells(nSpots: number, spotOf: Int32Array): SparseMatrix {
  const { starts: indptr, places: indices } = placesByValue(spotOf, nSpots);
  const data = new Float32Array(indices.length).fill(1);
  return { nRows: nSpots, nCols: spotOf.length, indptr, indices, data };
}
