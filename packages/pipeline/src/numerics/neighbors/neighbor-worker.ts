import { nearestOf, openPoints, type NeighborBlock } from "./neighbor-block.ts";
import type { NeighborSearch, NeighborWork } from "./neighbor-task.ts";

/** Runs in a worker thread. */
export default async function work(
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
