import type { Random } from "../random.ts";
import type { Level } from "./leiden.ts";

/**
 * Well-connected parts of communities (Leiden's refinement): a singleton node joins the part of its community with the
 * largest gain, provided that node and part are both well enough connected to the rest of the community. Returns each
 * node's part.
 */
export function refine(
  level: Level,
  communityOf: Int32Array,
  nCommunities: number,
  random: Random,
): Int32Array {
  const { nNodes, starts, targets, weights, degrees, penalty } = level;
  const ofCommunity = new Float64Array(nCommunities);
  for (let node = 0; node < nNodes; node++) ofCommunity[communityOf[node]] += degrees[node];
  const partOf = Int32Array.from(degrees.keys());
  const degreeOf = degrees.slice();
  const sizeOf = new Int32Array(nNodes).fill(1);
  // Total edge weight between a part and the rest of its community.
  const cut = new Float64Array(nNodes);
  for (let node = 0; node < nNodes; node++) {
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      if (communityOf[targets[edge]] === communityOf[node]) cut[node] += weights[edge];
    }
  }
  const holds = (part: number, community: number): boolean =>
    cut[part] >= penalty * degreeOf[part] * (ofCommunity[community] - degreeOf[part]);
  const weightTo = new Float64Array(nNodes);
  const seen = new Int32Array(nNodes);
  const order = random.order(degrees.length);
  for (const node of order) {
    const community = communityOf[node];
    if (sizeOf[node] !== 1 || partOf[node] !== node || !holds(node, community)) continue;
    let nSeen = 0;
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      if (communityOf[targets[edge]] !== community) continue;
      const part = partOf[targets[edge]];
      if (weightTo[part] === 0) seen[nSeen++] = part;
      weightTo[part] += weights[edge];
    }
    let best = node;
    let most = 0;
    let joined = 0;
    for (let s = 0; s < nSeen; s++) {
      const part = seen[s];
      const weight = weightTo[part];
      weightTo[part] = 0;
      const gain = weight - penalty * degrees[node] * degreeOf[part];
      if (gain > most && holds(part, community)) [most, best, joined] = [gain, part, weight];
    }
    if (best === node) continue;
    partOf[node] = best;
    sizeOf[node] = 0;
    sizeOf[best]++;
    degreeOf[best] += degrees[node];
    cut[best] += cut[node] - 2 * joined;
  }
  return partOf;
}
