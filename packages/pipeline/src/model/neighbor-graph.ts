import Delaunator from "delaunator";
import type { Matrix, SparseMatrix } from "@stipple/numerics/matrices";
import { placesByValue } from "@stipple/numerics/places-by-value";
import { chooseColumns, chooseRows } from "@stipple/numerics/sparse";
import { FEATURES } from "./constants.ts";

export interface NeighborGraph {
  /** nCells × nCells, symmetric: distance, µm. */
  distances: SparseMatrix;
  medianEdgeUm: number;
  maxEdgeUm: number;
  /** Undirected edges. */
  edges: number;
}

/** Delaunay neighbors of cells (xy in pixels), without edges longer than 2.5 median edges. O(n log n). */
export function neighborGraph(xy: Matrix, micronsPerPixel: number): NeighborGraph {
  const points = Float64Array.from(xy.data, (value) => value * micronsPerPixel);
  const [from, to] = delaunayEdges(points);
  const lengths = Float32Array.from(from, (a, e) => {
    const b = to[e];
    return Math.hypot(points[2 * a] - points[2 * b], points[2 * a + 1] - points[2 * b + 1]);
  });
  const sorted = lengths.toSorted();
  const medianEdgeUm = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const maxEdgeUm = FEATURES.MAX_MEDIANS * medianEdgeUm;
  const kept = Uint32Array.from(lengths.keys()).filter((e) => lengths[e] <= maxEdgeUm);
  const distances = symmetricMatrix(
    xy.nRows,
    kept.map((e) => from[e]),
    kept.map((e) => to[e]),
    Float32Array.from(kept, (e) => lengths[e]),
  );
  return { distances, medianEdgeUm, maxEdgeUm, edges: kept.length };
}

function delaunayEdges(points: Float64Array): [Uint32Array, Uint32Array] {
  const { triangles, halfedges, hull } = new Delaunator(points);
  const from: number[] = [];
  const to: number[] = [];
  for (let e = 0; e < triangles.length; e++) {
    if (halfedges[e] > e) continue;
    from.push(triangles[e]);
    to.push(triangles[e % 3 === 2 ? e - 2 : e + 1]);
  }
  // Collinear points have no triangles; the hull is then their order along the line.
  if (triangles.length === 0) {
    for (let i = 1; i < hull.length; i++) {
      from.push(hull[i - 1]);
      to.push(hull[i]);
    }
  }
  return [Uint32Array.from(from), Uint32Array.from(to)];
}

/** Both directions of every edge, columns ascending within a row. */
function symmetricMatrix(
  n: number,
  from: Uint32Array,
  to: Uint32Array,
  value: Float32Array,
): SparseMatrix {
  const [rows, columns] = [new Uint32Array(2 * from.length), new Uint32Array(2 * from.length)];
  rows.set(from);
  rows.set(to, from.length);
  columns.set(to);
  columns.set(from, to.length);
  const { starts: indptr, places } = placesByValue(rows, n);
  for (let r = 0; r < n; r++) {
    places.subarray(indptr[r], indptr[r + 1]).sort((a, b) => columns[a] - columns[b]);
  }
  return {
    nRows: n,
    nCols: n,
    indptr,
    indices: places.map((i) => columns[i]),
    data: Float32Array.from(places, (i) => value[i % from.length]),
  };
}

/** The graph of some of the nodes, numbered in the order given. O(edges). */
export function subgraph(graph: SparseMatrix, nodes: readonly number[]): SparseMatrix {
  return chooseColumns(chooseRows(graph, nodes), nodes);
}
