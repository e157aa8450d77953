import type { Level } from "./leiden.ts";
import { placesByValue } from "../places-by-value.ts";

/**
 * The graph whose nodes are sets of nodes, numbered by `into`; edges between the same two sets are merged. O(edges).
 */
export function merged(level: Level, into: Int32Array, nNodes: number): Level {
  const { starts: first, places: members } = placesByValue(into, nNodes);
  const degrees = new Float64Array(nNodes);
  into.forEach((node, i) => (degrees[node] += level.degrees[i]));
  const starts = new Uint32Array(nNodes + 1);
  const targets = new Uint32Array(level.targets.length);
  const weights = new Float32Array(level.targets.length);
  const weightTo = new Float64Array(nNodes);
  let size = 0;
  for (let node = 0; node < nNodes; node++) {
    for (let m = first[node]; m < first[node + 1]; m++) {
      const member = members[m];
      for (let edge = level.starts[member]; edge < level.starts[member + 1]; edge++) {
        const other = into[level.targets[edge]];
        if (other === node) continue;
        if (weightTo[other] === 0) targets[size++] = other;
        weightTo[other] += level.weights[edge];
      }
    }
    for (let edge = starts[node]; edge < size; edge++) {
      weights[edge] = weightTo[targets[edge]];
      weightTo[targets[edge]] = 0;
    }
    starts[node + 1] = size;
  }
  return {
    nNodes,
    starts,
    targets: targets.slice(0, size),
    weights: weights.slice(0, size),
    degrees,
    penalty: level.penalty,
  };
}
