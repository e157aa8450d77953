import type { Tasks } from "@stipple/tasks/task";
import { pickRows } from "../dense.ts";
import type { Matrix } from "../matrices.ts";
import { openPoints, type NeighborBlock } from "./neighbor-block.ts";
import {
  nearestInRegions,
  type NeighborSearch,
  searchRegions as searchHere,
} from "./search-regions.ts";
import { regionsOf, type Regions } from "./regions.ts";

/** A point is compared with those of the nearest regions that together hold at least this many times √n points. */
const CANDIDATES = 30;
/** Approximate points per task. */
const TASK_POINTS = 2048;
/** With fewer points than this, the search ends before a thread would have started. */
const WORTH_THREADS = 8192;

export interface NeighborOptions {
  /** Worker threads that search; none by default. */
  others?: { tasks: Tasks; signal: AbortSignal } | undefined;
  /** Called with the progress of the search on worker threads. */
  searched?: ((fraction: number) => void) | undefined;
}

/** The `k` nearest other rows of each row, nearest first. */
export interface Neighbors {
  k: number;
  indices: Int32Array;
  distances: Float64Array;
}

/**
 * The `wanted` nearest other rows of every row, among those of the nearest regions (an inverted file; all pairs if there
 * are few rows), by matrix products. A few neighbors in a thousand lie beyond these regions and are missed (measured on
 * cells' components). The result is the same for any number of threads. O(n · √n · nCols).
 */
export async function findNeighbors(
  { data, nRows, nCols }: Matrix<Float32Array>,
  wanted: number,
  { others, searched }: NeighborOptions = {},
): Promise<Neighbors> {
  const opened = await openPoints(data, nCols);
  const k = Math.min(wanted, nRows - 1);
  const regions = await regionsOf(opened);
  const { order, starts } = regions;
  const ordered = pickRows(data, nCols, order);
  const searches = starts.slice(1).reduce<NeighborSearch[][]>((tasks, to, region) => {
    const from = starts[region];
    if (from === to) return tasks;
    const search = { from, to, candidates: candidatesOf(regions, region, k) };
    const open = tasks.at(-1);
    if (open && to - open[0].from <= TASK_POINTS) open.push(search);
    else tasks.push([search]);
    return tasks;
  }, []);
  const shared = { points: ordered, nDims: nCols, k };
  const blocks: NeighborBlock[][] = [];
  if (others && nRows >= WORTH_THREADS) {
    const call = { shared, inputs: searches };
    const { signal } = others;
    blocks.push(
      ...(await others.tasks.map(nearestInRegions, call, { signal, progress: searched })),
    );
  } else {
    for (const some of searches) blocks.push(await searchHere(shared, some));
  }
  const indices = new Int32Array(nRows * k);
  const distances = new Float64Array(nRows * k);
  const found = blocks.flat();
  searches.flat().forEach(({ from, to }, i) => {
    const block = found[i];
    for (let at = from; at < to; at++) {
      const row = order[at] * k;
      for (let j = 0; j < k; j++) {
        indices[row + j] = order[block.indices[(at - from) * k + j]];
        distances[row + j] = block.distances[(at - from) * k + j];
      }
    }
  });
  return { k, indices, distances };
}

/** Positions of the points that the points of a region are compared with. */
function candidatesOf({ order, starts, nearest }: Regions, region: number, k: number): Uint32Array {
  const least = Math.max(2 * k, CANDIDATES * Math.sqrt(order.length));
  const places: number[] = [];
  for (const near of nearest[region]) {
    if (places.length >= least) break;
    for (let at = starts[near]; at < starts[near + 1]; at++) places.push(at);
  }
  return Uint32Array.from(places);
}
