import { defineTask } from "@stipple/tasks/task";
import { nearestOf, type NeighborBlock, openPoints } from "./neighbor-block.ts";

/** Input shared by all blocks of points. */
export interface NeighborWork {
  /** nPoints × nDims; points of a region are adjacent. */
  points: Float32Array;
  nDims: number;
  k: number;
}

/** Points from … to − 1, and the points to compare them with. */
export interface NeighborSearch {
  from: number;
  to: number;
  candidates: Uint32Array;
}

/** Runs in a worker thread. */
export async function searchRegions(
  { points, nDims, k }: NeighborWork,
  searches: readonly NeighborSearch[],
): Promise<NeighborBlock[]> {
  const searched = await openPoints(points, nDims);
  const blocks: NeighborBlock[] = [];
  for (const { candidates, ...range } of searches) {
    blocks.push(await nearestOf(searched, candidates, k, range));
  }
  return blocks;
}

/** Finds the nearest points of the points of some regions. */
export const nearestInRegions = defineTask(
  import.meta.url,
  searchRegions,
  // Runs ONNX Runtime.
  { isNative: true },
);
