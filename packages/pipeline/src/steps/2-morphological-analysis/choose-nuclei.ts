import type { WatershedTree } from "../../numerics/watershed-tree.ts";

/** Objects that do not overlap. */
export interface Selection {
  /** Object of each pixel, 1 … n; 0 = none. */
  labels: Int32Array;
  /** Score minus threshold of each object; gain[0] is 0. */
  gain: Float32Array;
}

/**
 * Picks the set of disjoint tree nodes with the largest total gain (score − threshold, where positive): each node is
 * kept whole, split into its parts, or dropped. O(pixels + nodes).
 */
export function chooseNuclei(
  tree: WatershedTree,
  score: Float32Array,
  threshold: number,
): Selection {
  const { count, parent } = tree;
  const fromParts = new Float64Array(count);
  const whole = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const own = score[k] - threshold;
    if (own > 0 && own >= fromParts[k]) whole[k] = 1;
    if (parent[k] >= 0) fromParts[parent[k]] += whole[k] ? own : fromParts[k];
  }
  const gain = [0];
  const ofNode = new Int32Array(count);
  for (let k = count - 1; k >= 0; k--) {
    // Parents have higher indices than their children, so everything inside a chosen node is assigned to it.
    if (parent[k] >= 0 && ofNode[parent[k]] > 0) ofNode[k] = ofNode[parent[k]];
    else if (whole[k]) {
      ofNode[k] = gain.length;
      gain.push(score[k] - threshold);
    }
  }
  const labels = new Int32Array(tree.labels.length);
  for (let p = 0; p < labels.length; p++) {
    if (tree.labels[p] >= 0) labels[p] = ofNode[tree.labels[p]];
  }
  return { labels, gain: Float32Array.from(gain) };
}
