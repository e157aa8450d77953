/** An undirected graph without self-loops; every edge is stored for both of its nodes. */
export interface WeightedGraph {
  nNodes: number;
  /** Start of each node's edges, and end of the last node's: nNodes + 1. */
  starts: Uint32Array;
  /** The other node of each edge. */
  targets: Uint32Array;
  weights: Float32Array;
}
