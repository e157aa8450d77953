import type { Random } from "../random.ts";
import type { Level } from "./leiden.ts";

/**
 * Moves nodes to the neighboring community with the largest gain until no move gains anything (Leiden's fast local
 * moving): after the first pass, only nodes with a neighbor that moved are revisited. Changes `communityOf`, whose
 * values stay below nNodes.
 */
export function moveNodes(level: Level, communityOf: Int32Array, random: Random): void {
  const { nNodes, starts, targets, weights, degrees, penalty } = level;
  const degreeOf = new Float64Array(nNodes);
  const sizeOf = new Int32Array(nNodes);
  for (let node = 0; node < nNodes; node++) {
    degreeOf[communityOf[node]] += degrees[node];
    sizeOf[communityOf[node]]++;
  }
  const empty: number[] = [];
  for (let i = nNodes - 1; i >= 0; i--) if (sizeOf[i] === 0) empty.push(i);
  // A circular queue: waiting nodes follow one another from `head` on.
  const ring = Uint32Array.from(degrees.keys());
  random.shuffle(ring);
  const waits = new Uint8Array(nNodes).fill(1);
  const weightTo = new Float64Array(nNodes);
  const seen = new Int32Array(nNodes);
  for (let head = 0, waiting = nNodes; waiting > 0; waiting--) {
    const node = ring[head];
    head = head + 1 === nNodes ? 0 : head + 1;
    waits[node] = 0;
    let nSeen = 0;
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      const community = communityOf[targets[edge]];
      if (weightTo[community] === 0) seen[nSeen++] = community;
      weightTo[community] += weights[edge];
    }
    const from = communityOf[node];
    const against = penalty * degrees[node];
    degreeOf[from] -= degrees[node];
    sizeOf[from]--;
    let best = from;
    let most = weightTo[from] - against * degreeOf[from];
    for (let s = 0; s < nSeen; s++) {
      const community = seen[s];
      const gain = weightTo[community] - against * degreeOf[community];
      weightTo[community] = 0;
      if (gain > most) [most, best] = [gain, community];
    }
    if (most < 0 && sizeOf[from] > 0) best = empty.pop()!;
    degreeOf[best] += degrees[node];
    sizeOf[best]++;
    if (best === from) continue;
    if (sizeOf[from] === 0) empty.push(from);
    communityOf[node] = best;
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) {
      const other = targets[edge];
      if (waits[other] === 1 || communityOf[other] === best) continue;
      waits[other] = 1;
      // The current node is still counted.
      const last = head + waiting - 1;
      ring[last < nNodes ? last : last - nNodes] = other;
      waiting++;
    }
  }
}
