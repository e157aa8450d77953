import { pickRows } from "./dense.ts";
import type { Matrix } from "./matrices.ts";
import { nearestCenter } from "./nearest-center.ts";
import { leiden } from "./graph/leiden.ts";
import { sharedNeighborGraph } from "./graph/shared-neighbors.ts";
import { findNeighbors, type NeighborOptions } from "./neighbors/find-neighbors.ts";

export interface Clusters {
  /** 0 … nClusters − 1, largest cluster first; one per row. */
  cluster: Int32Array<ArrayBuffer>;
  nClusters: number;
}

/**
 * Clusters the rows of `points` listed in `sketch` with a shared-nearest-neighbor graph and Leiden with modularity,
 * then assigns each row of `rest` to the cluster with the nearest center. Rows in neither list get −1. Deterministic.
 * O(n · √n) for the sketch, O(rest · nClusters · nCols).
 */
export async function graphClusters(
  points: Matrix<Float32Array>,
  sketch: Uint32Array,
  rest: Uint32Array,
  options: GraphOptions,
): Promise<Clusters> {
  const sketched = await clusterSketch(points, sketch, options);
  await options.reached?.(0.95);
  return spread(points, sketch, rest, sketched);
}

interface GraphOptions extends NeighborOptions {
  neighbors: number;
  resolution: number;
  /** Called between steps of a few seconds each, with the fraction done. */
  reached?: (fraction: number) => Promise<void>;
}

async function clusterSketch(
  points: Matrix<Float32Array>,
  sketch: Uint32Array,
  options: GraphOptions,
): Promise<Int32Array> {
  const { data, nCols } = points;
  const sketched = { nRows: sketch.length, nCols, data: pickRows(data, nCols, sketch) };
  const nearest = await findNeighbors(sketched, options.neighbors, options);
  await options.reached?.(0.5);
  const graph = sharedNeighborGraph(nearest);
  await options.reached?.(0.65);
  return leiden(graph, options.resolution);
}

/** Assigns every other row to the cluster with the nearest center, then numbers clusters by descending size. */
function spread(
  points: Matrix<Float32Array>,
  sketch: Uint32Array,
  rest: Uint32Array,
  sketched: Int32Array,
): Clusters {
  const { data, nRows, nCols } = points;
  const nClusters = sketched.reduce((most, cluster) => Math.max(most, cluster), 0) + 1;
  const sizes = sizesOf(sketched, nClusters);
  const cluster = new Int32Array(nRows).fill(-1);
  const centers = new Float64Array(nClusters * nCols);
  sketch.forEach((row, i) => {
    const own = sketched[i];
    cluster[row] = own;
    for (let k = 0; k < nCols; k++) {
      centers[own * nCols + k] += data[row * nCols + k] / sizes[own];
    }
  });
  for (const row of rest) {
    if (cluster[row] < 0) cluster[row] = nearestCenter(data, row * nCols, centers, nCols);
  }
  const all = sizesOf(cluster, nClusters);
  const order = Array.from(all.keys()).sort((a, b) => all[b] - all[a] || a - b);
  const rank = new Int32Array(nClusters);
  order.forEach((own, place) => (rank[own] = place));
  return { cluster: cluster.map((own) => (own < 0 ? own : rank[own])), nClusters };
}

function sizesOf(clusterOf: Int32Array, nClusters: number): Float64Array {
  const sizes = new Float64Array(nClusters);
  for (const cluster of clusterOf) if (cluster >= 0) sizes[cluster]++;
  return sizes;
}
