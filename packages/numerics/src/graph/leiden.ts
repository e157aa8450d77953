import { Random } from "../random.ts";
import { moveNodes } from "./move-nodes.ts";
import { refine } from "./refine.ts";
import type { WeightedGraph } from "./weighted-graph.ts";
import { placesByValue } from "../places-by-value.ts";

/** A graph whose nodes each represent one or more nodes of the original graph, and the terms of the modularity. */
export interface Level extends WeightedGraph {
  /** Total edge weight of all nodes that a node represents. */
  degrees: Float64Array;
  /**
   * Resolution over the sum of all degrees: the factor that weighs the product of two degrees against an edge weight.
   */
  penalty: number;
}

/** Rounds after the first start from the communities found. */
const ROUNDS = 2;

/**
 * Communities of a graph by modularity with a resolution (Leiden, Traag et al. 2019), numbered from 0 in the order in
 * which they appear; communities are connected. During refinement, a node joins the best part that it may join; the
 * original draws one at random. Deterministic. About O(edges) per round.
 */
export function leiden(graph: WeightedGraph, resolution: number, seed = 0): Int32Array {
  const degrees = degreesOf(graph);
  const penalty = resolution / degrees.reduce((sum, degree) => sum + degree, 0);
  const random = new Random(seed);
  let communityOf = Int32Array.from(degrees.keys());
  for (let round = 0; round < ROUNDS; round++) {
    communityOf = oneRound({ ...graph, degrees, penalty }, communityOf, random);
  }
  return communityOf;
}

function oneRound(first: Level, start: Int32Array, random: Random): Int32Array<ArrayBuffer> {
  let level = first;
  let communityOf = start;
  // Node of the current level that represents each node of the graph.
  const nodeOf = Int32Array.from(start.keys());
  for (;;) {
    moveNodes(level, communityOf, random);
    const nCommunities = renumber(communityOf);
    if (nCommunities === level.nNodes) break;
    const partOf = refine(level, communityOf, nCommunities, random);
    const nParts = renumber(partOf);
    // If no part has two nodes, the communities themselves become the nodes.
    const into = nParts < level.nNodes ? partOf : communityOf;
    const next = merged(level, into, into === partOf ? nParts : nCommunities);
    const ofNext = new Int32Array(next.nNodes);
    into.forEach((node, i) => (ofNext[node] = communityOf[i]));
    nodeOf.forEach((node, i) => (nodeOf[i] = into[node]));
    level = next;
    communityOf = ofNext;
  }
  return nodeOf.map((node) => communityOf[node]);
}

function degreesOf({ nNodes, starts, weights }: WeightedGraph): Float64Array {
  const degrees = new Float64Array(nNodes);
  for (let node = 0; node < nNodes; node++) {
    for (let edge = starts[node]; edge < starts[node + 1]; edge++) degrees[node] += weights[edge];
  }
  return degrees;
}

/** Renumbers labels by first appearance; returns their number. */
function renumber(labels: Int32Array): number {
  const numberOf = new Int32Array(labels.length).fill(-1);
  let count = 0;
  labels.forEach((label, i) => {
    if (numberOf[label] < 0) numberOf[label] = count++;
    labels[i] = numberOf[label];
  });
  return count;
}

/**
 * The graph whose nodes are sets of nodes, numbered by `into`; edges between the same two sets are merged. O(edges).
 */
function merged(level: Level, into: Int32Array, nNodes: number): Level {
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
