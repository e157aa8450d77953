import type { WatershedTree } from "../../numerics/watershed-tree.ts";

/**
 * Picks the set of tree nodes that share no pixel and whose gains (score − threshold, where positive) add up to the most:
 * each node is taken whole, split into its parts, or dropped. O(nodes).
 */
export function chooseNuclei(
  tree: WatershedTree,
  score: Float32Array,
  threshold: number,
): Int32Array {
  const { count, nLeaves, parent, children } = tree;
  const fromParts = new Float64Array(count);
  const whole = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const own = score[k] - threshold;
    if (own > 0 && own >= fromParts[k]) whole[k] = 1;
    if (parent[k] >= 0) fromParts[parent[k]] += whole[k] ? own : fromParts[k];
  }
  const chosen: number[] = [];
  const open: number[] = [];
  for (let k = 0; k < count; k++) if (parent[k] < 0) open.push(k);
  for (let k = open.pop(); k !== undefined; k = open.pop()) {
    if (whole[k]) chosen.push(k);
    else if (k >= nLeaves) open.push(children[2 * (k - nLeaves)], children[2 * (k - nLeaves) + 1]);
  }
  return Int32Array.from(chosen).sort();
}
