import { describe, expect, it } from "vitest";
import { leiden } from "./leiden.ts";
import type { WeightedGraph } from "./weighted-graph.ts";

function graphOf(nNodes: number, edges: readonly (readonly number[])[]): WeightedGraph {
  const others = Array.from({ length: nNodes }, (): number[] => []);
  for (const [a, b] of edges) {
    others[a].push(b);
    others[b].push(a);
  }
  const starts = new Uint32Array(nNodes + 1);
  others.forEach((list, node) => (starts[node + 1] = starts[node] + list.length));
  const targets = Uint32Array.from(others.flat());
  return { nNodes, starts, targets, weights: new Float32Array(targets.length).fill(1) };
}

/** By definition, edge by edge. */
function modularity(nNodes: number, edges: readonly (readonly number[])[], of: Int32Array): number {
  const degree = new Float64Array(nNodes);
  for (const node of edges.flat()) degree[node]++;
  let sum = 0;
  for (const [a, b] of edges) if (of[a] === of[b]) sum += 2;
  for (let a = 0; a < nNodes; a++) {
    for (let b = 0; b < nNodes; b++) {
      if (of[a] === of[b]) sum -= (degree[a] * degree[b]) / (2 * edges.length);
    }
  }
  return sum / (2 * edges.length);
}

/** Friendships in a karate club (Zachary 1977), members numbered from 1. */
const KARATE = `1 2 1 3 2 3 1 4 2 4 3 4 1 5 1 6 1 7 5 7 6 7 1 8 2 8 3 8 4 8 1 9 3 9 3 10 1 11 5 11 6 11 1 12 1 13 4 13 1 14 2 14
3 14 4 14 6 17 7 17 1 18 2 18 1 20 2 20 1 22 2 22 24 26 25 26 3 28 24 28 25 28 3 29 24 30 27 30 2 31 9 31 1 32 25 32 26 32 29
32 3 33 9 33 15 33 16 33 19 33 21 33 23 33 24 33 30 33 31 33 32 33 9 34 10 34 14 34 15 34 16 34 19 34 20 34 21 34 23 34 24 34
27 34 28 34 29 34 30 34 31 34 32 34 33 34`;

describe("communities of a graph", () => {
  it("have the best known modularity for the karate club", () => {
    const numbers = KARATE.split(/\s+/).map((n) => Number(n) - 1);
    const edges = Array.from({ length: numbers.length / 2 }, (_, i) => [
      numbers[2 * i],
      numbers[2 * i + 1],
    ]);
    expect(edges).toHaveLength(78);
    for (const seed of [0, 1, 2, 3, 4]) {
      expect(modularity(34, edges, leiden(graphOf(34, edges), 1, seed))).toBeGreaterThan(0.4197);
    }
  });

  it("are the cliques of a ring of cliques, or pairs of cliques at half the resolution or less", () => {
    const [nCliques, size] = [12, 6];
    const edges: number[][] = [];
    for (let clique = 0; clique < nCliques; clique++) {
      const first = clique * size;
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < a; b++) edges.push([first + a, first + b]);
      }
      edges.push([first, ((clique + 1) % nCliques) * size + 1]);
    }
    const graph = graphOf(nCliques * size, edges);
    const cliques = Int32Array.from({ length: nCliques * size }, (_, i) => Math.floor(i / size));
    expect(leiden(graph, 1)).toEqual(cliques);
    expect(new Set(leiden(graph, 0.3)).size).toBeLessThan(nCliques);
  });

  it("leave nodes without edges on their own", () => {
    expect(leiden(graphOf(4, [[1, 2]]), 1)).toEqual(Int32Array.of(0, 1, 1, 2));
    expect(leiden(graphOf(3, []), 1)).toEqual(Int32Array.of(0, 1, 2));
  });
});
