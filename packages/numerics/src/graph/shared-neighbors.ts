import type { Neighbors } from "../neighbors/find-neighbors.ts";
import { placesByValue } from "../places-by-value.ts";
import type { WeightedGraph } from "./weighted-graph.ts";

/** Greater than any sum of two ranks. */
const UNSEEN = 0xffff;

/**
 * The shared-nearest-neighbor graph (Xu & Su 2015, weighted as libscran does by default): two points that share a
 * neighbor (each point being its own first neighbor) are joined with weight 2k − r, where r is the smallest sum of a
 * shared neighbor's ranks in both lists. Points that share only their last neighbor are not joined. O(n · k²), somewhat
 * more if a few points are neighbors of nearly all others.
 */
export function sharedNeighborGraph({ k, indices }: Neighbors): WeightedGraph {
  const nNodes = indices.length / k;
  // For each point, the points that have it as a neighbor.
  const { starts: first, places } = placesByValue(indices, nNodes);
  const least = new Uint16Array(nNodes).fill(UNSEEN);
  const seen = new Uint32Array(nNodes);
  const starts = new Uint32Array(nNodes + 1);
  let targets = new Uint32Array(nNodes * 4 * k);
  let weights = new Float32Array(targets.length);
  let size = 0;
  for (let node = 0; node < nNodes; node++) {
    let count = 0;
    for (let place = 0; place <= k; place++) {
      const shared = place === 0 ? node : indices[node * k + place - 1];
      if (least[shared] === UNSEEN) seen[count++] = shared;
      if (place < least[shared]) least[shared] = place;
      for (let at = first[shared]; at < first[shared + 1]; at++) {
        const other = Math.floor(places[at] / k);
        const sum = place + 1 + (places[at] % k);
        if (least[other] === UNSEEN) seen[count++] = other;
        if (sum < least[other]) least[other] = sum;
      }
    }
    if (size + count > targets.length) {
      const room = 2 * targets.length + count;
      targets = enlarged(targets, new Uint32Array(room));
      weights = enlarged(weights, new Float32Array(room));
    }
    for (let s = 0; s < count; s++) {
      const other = seen[s];
      const weight = 2 * k - least[other];
      least[other] = UNSEEN;
      if (other === node || weight <= 0) continue;
      targets[size] = other;
      weights[size++] = weight;
    }
    starts[node + 1] = size;
  }
  return { nNodes, starts, targets: targets.subarray(0, size), weights: weights.subarray(0, size) };
}

function enlarged<T extends Uint32Array | Float32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
