import { openGraph, type GraphRun } from "../onnx-graph.ts";

/** Width of a soft cluster, in cosine distance; Harmony's own. */
const SIGMA = 0.1;
/** Clusters this much farther than the nearest one hold nothing of a point: a share below 1e-13. */
const REACH = 3;
/** Exponent by which clusters with too much of a group repel it; Harmony's own. */
const THETA = 2;
/** Rows per matrix product. */
export const TILE = 2048;

/** Soft clusters of unit vectors, and how much each repels each group. */
export interface SoftClusters {
  /** nCols × nClusters: unit vectors, column by column. */
  centers: Float32Array;
  nClusters: number;
  /** nGroups × nClusters. */
  penalty: Float64Array;
}

/** The product of rows with centers: cosines, where both are unit vectors. */
export function openCosines(nCols: number): Promise<GraphRun> {
  return openGraph({
    nodes: [{ operator: "MatMul", inputs: ["rows", "centers"], output: "cosines" }],
    inputs: [
      { name: "rows", shape: ["rows", nCols] },
      { name: "centers", shape: [nCols, "clusters"] },
    ],
    output: { name: "cosines", shape: ["rows", "clusters"] },
  });
}

/**
 * Turns the cosines of one point with all centers, at `at`, into its shares of the clusters. Called constantly, so that V8
 * keeps its compiled code.
 */
export function sharesOf(
  cosines: Float32Array,
  at: number,
  { nClusters, penalty }: SoftClusters,
  group: number,
): void {
  let nearest = -Infinity;
  for (let k = 0; k < nClusters; k++) nearest = Math.max(nearest, cosines[at + k]);
  let total = 0;
  for (let k = 0; k < nClusters; k++) {
    const farther = 2 * (nearest - cosines[at + k]);
    const share = farther > REACH ? 0 : Math.exp(-farther / SIGMA) * penalty[group * nClusters + k];
    cosines[at + k] = share;
    total += share;
  }
  if (total > 0) for (let k = 0; k < nClusters; k++) cosines[at + k] /= total;
}

/**
 * How much each cluster repels each group: less than 1 where it holds more of the group than the group's share of all
 * points. `held` is nGroups × nClusters, `share` of each group.
 */
export function penalties(
  held: Float64Array,
  share: Float64Array,
  nClusters: number,
): Float64Array<ArrayBuffer> {
  const penalty = new Float64Array(held.length);
  for (let k = 0; k < nClusters; k++) {
    let total = 0;
    for (let at = k; at < held.length; at += nClusters) total += held[at];
    for (let group = 0; group < share.length; group++) {
      const at = group * nClusters + k;
      penalty[at] = ((total * share[group] + 1) / (held[at] + 1)) ** THETA;
    }
  }
  return penalty;
}

/** Rows of `data` (nRows × nCols) as unit vectors. */
export function unitRows(data: Float32Array, nCols: number): Float32Array<ArrayBuffer> {
  const unit = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += nCols) {
    let square = 0;
    for (let d = 0; d < nCols; d++) square += data[at + d] * data[at + d];
    const factor = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let d = 0; d < nCols; d++) unit[at + d] = data[at + d] * factor;
  }
  return unit;
}
