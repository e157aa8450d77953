import { expect, it } from "vitest";
import { Random } from "../random.ts";
import { sharedNeighborGraph } from "./shared-neighbors.ts";

it("joins points by the smallest sum of ranks of a shared neighbor", () => {
  const [n, k] = [40, 4];
  const random = new Random(1);
  const lists = Array.from({ length: n }, (_, i) => {
    const others = Array.from({ length: n }, (_, j) => j).filter((j) => j !== i);
    random.shuffle(others);
    return [i, ...others.slice(0, k)];
  });
  const indices = Int32Array.from(lists.flatMap((list) => list.slice(1)));
  const graph = sharedNeighborGraph({ k, indices, distances: new Float64Array(n * k) });
  const weights = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (let node = 0; node < n; node++) {
    for (let edge = graph.starts[node]; edge < graph.starts[node + 1]; edge++) {
      weights[node][graph.targets[edge]] += graph.weights[edge];
    }
  }
  for (let a = 0; a < n; a++) {
    for (let b = 0; b < n; b++) {
      const sums = lists[a].flatMap((shared, place) =>
        lists[b].includes(shared) ? [place + lists[b].indexOf(shared)] : [],
      );
      const wanted = a === b || sums.length === 0 ? 0 : Math.max(0, 2 * k - Math.min(...sums));
      expect(weights[a][b]).toBe(wanted);
    }
  }
});
