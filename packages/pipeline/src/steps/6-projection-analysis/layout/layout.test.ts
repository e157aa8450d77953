import { describe, expect, it } from "vitest";
import { fitSimilarityCurve } from "./similarity-curve.ts";
import { FIRST_BITS, forceTable, PLACE_BITS, optimizeLayout } from "./optimize-layout.ts";
import { fuzzyGraph } from "./lay-out.ts";
import { startFromComponents } from "../umap.ts";

describe("building blocks of the layout", () => {
  it.each([
    // umap-learn 0.5.12, find_ab_params(1, minDist).
    [0.1, 1.5769434, 0.8950608],
    [0.3, 0.9921756, 1.1122534],
  ])("the curve for a minimum distance of %f matches umap-learn", (minDist, a, b) => {
    const found = fitSimilarityCurve(minDist);
    expect(found.a).toBeCloseTo(a, 5);
    expect(found.b).toBeCloseTo(b, 5);
  });

  it("the force table has an error below 0.0002", () => {
    const force = (d: number): number => 2 / ((0.001 + d) * (1 + d ** 1.1));
    const table = forceTable(force);
    const squared = new Float64Array(1);
    const upper = new Int32Array(squared.buffer);
    for (let exponent = -19.97; exponent < 59; exponent += 0.031) {
      squared[0] = 2 ** exponent;
      const place = upper[1] - FIRST_BITS;
      const piece = 2 * (place >> PLACE_BITS);
      const found = table[piece] + table[piece + 1] * (place & ((1 << PLACE_BITS) - 1));
      expect(Math.abs(found / force(squared[0]) - 1)).toBeLessThan(2e-4);
    }
  });

  it("the graph joins a and b with weight a + b − ab, and a cell's neighbor strengths sum to log2(k + 1)", () => {
    // Five cells on a line, with the two nearest neighbors of each.
    const at = [0, 1, 2.5, 4.5, 7];
    const lists = at.map((x, i) =>
      at
        .map((y, j) => ({ j, distance: Math.abs(x - y) }))
        .filter(({ j }) => j !== i)
        .sort((p, q) => p.distance - q.distance)
        .slice(0, 2),
    );
    const { starts, targets, weights } = fuzzyGraph({
      k: 2,
      indices: Int32Array.from(lists.flat(), ({ j }) => j),
      distances: Float64Array.from(lists.flat(), ({ distance }) => distance),
    });
    const rest = Math.log2(3) - 1;
    const near = (i: number, j: number): number =>
      lists[i][0].j === j ? 1 : lists[i][1].j === j ? rest : 0;
    for (let i = 0; i < 5; i++) {
      const found = new Map<number, number>();
      for (let e = starts[i]; e < starts[i + 1]; e++) found.set(targets[e], weights[e]);
      for (let j = 0; j < 5; j++) {
        const wanted = i === j ? 0 : near(i, j) + near(j, i) - near(i, j) * near(j, i);
        expect(found.get(j) ?? 0).toBeCloseTo(wanted, 4);
      }
    }
  });

  it("cells in the same place move apart, every epoch is reported, and all numbers stay finite", () => {
    const cells = { nRows: 30, nCols: 3, data: new Float32Array(90) };
    const start = startFromComponents(cells, 1);
    const indices = Int32Array.from(
      { length: 90 },
      (_, i) => (Math.floor(i / 3) + 1 + (i % 3)) % 30,
    );
    const graph = fuzzyGraph({ k: 3, indices, distances: new Float64Array(90) });
    const problem = { graph, curve: fitSimilarityCurve(0.3), epochs: 50, seed: 0 };
    const told = [...optimizeLayout(start, problem)];
    expect(told).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(start.every(Number.isFinite)).toBe(true);
    const x = start.filter((_, i) => i % 2 === 0);
    expect(Math.max(...x) - Math.min(...x)).toBeGreaterThan(1);
  });
});
