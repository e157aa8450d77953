import { expect, it } from "vitest";
import { Random } from "@stipple/numerics/random";
import { nearestSpots } from "./nearest-spots.ts";

it("finds the nearest usable spots, nearest first and equally near ones in order", () => {
  const random = new Random(1);
  // Whole numbers, so that many distances are equal.
  const grid = (n: number, side: number) => ({
    nRows: n,
    data: Float64Array.from({ length: 2 * n }, () => random.below(side)),
  });
  const [points, spots] = [grid(200, 30), grid(150, 30)];
  const use = Uint8Array.from({ length: spots.nRows }, (_, s) => (s % 3 === 0 ? 0 : 1));
  const near = nearestSpots(points, spots, { lengthPx: 2, width: 5, use, always: false });
  for (let i = 0; i < points.nRows; i++) {
    const distances = Array.from(
      { length: spots.nRows },
      (_, s) =>
        (spots.data[2 * s] - points.data[2 * i]) ** 2 +
        (spots.data[2 * s + 1] - points.data[2 * i + 1]) ** 2,
    );
    const expected = [...distances.keys()]
      .filter((s) => use[s] === 1 && distances[s] <= 36)
      .sort((a, b) => distances[a] - distances[b] || a - b)
      .slice(0, 5);
    const weights = expected.map((s) => Math.exp(-distances[s] / 8));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (let j = 0; j < 5; j++) {
      expect(near.spot[5 * i + j]).toBe(expected[j] ?? -1);
      expect(near.weight[5 * i + j]).toBeCloseTo((weights[j] ?? 0) / (total || 1), 6);
    }
  }
});

it("gives a distant point the single nearest spot, if asked", () => {
  const points = { nRows: 1, data: [1000, 0] };
  const spots = { nRows: 3, data: [0, 0, 3, 0, 2, 0] };
  const options = { lengthPx: 1, width: 2 };
  expect(nearestSpots(points, spots, { ...options, always: true })).toEqual({
    width: 2,
    spot: Int32Array.of(1, -1),
    weight: Float32Array.of(1, 0),
  });
  expect(nearestSpots(points, spots, { ...options, always: false }).spot).toEqual(
    Int32Array.of(-1, -1),
  );
});
