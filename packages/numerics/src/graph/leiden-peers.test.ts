import { expect, it } from "vitest";
import { Random } from "../random.ts";
import { findNeighbors } from "../neighbors/find-neighbors.ts";
import { leiden } from "./leiden.ts";
import { sharedNeighborGraph } from "./shared-neighbors.ts";
import reference from "./leiden-peers.json" with { type: "json" };

/** Points around eight centers that overlap somewhat, sizes 40 to 180. */
function points(): { nRows: number; nCols: number; data: Float32Array } {
  const random = new Random(11);
  const nCols = 6;
  const centers = Array.from({ length: 8 }, () =>
    Array.from({ length: nCols }, () => 2.6 * random.normal()),
  );
  const rows = centers.flatMap((center, kind) =>
    Array.from({ length: 40 + 20 * kind }, () => center.map((x) => x + random.normal())),
  );
  return { nRows: rows.length, nCols, data: Float32Array.from(rows.flat()) };
}

it("finds the communities of scanpy on the same graph", async () => {
  const graph = sharedNeighborGraph(await findNeighbors(points(), 15));
  expect(graph.nNodes).toBe(reference.labels.length);
  const found = leiden(graph, reference.resolution);
  expect(adjustedRand(found, [...reference.labels].map(Number))).toBeGreaterThanOrEqual(0.95);
});

/** Hubert & Arabie 1985. */
function adjustedRand(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const pairs = (counts: Iterable<number>): number =>
    [...counts].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
  const count = (key: (at: number) => string): Iterable<number> => {
    const counts = new Map<string, number>();
    for (let at = 0; at < a.length; at++) {
      counts.set(key(at), (counts.get(key(at)) ?? 0) + 1);
    }
    return counts.values();
  };
  const [rows, columns] = [pairs(count((at) => `${a[at]}`)), pairs(count((at) => `${b[at]}`))];
  const both = pairs(count((at) => `${a[at]} ${b[at]}`));
  const byChance = (rows * columns) / pairs([a.length]);
  return (both - byChance) / ((rows + columns) / 2 - byChance);
}
