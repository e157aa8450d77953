import { expect, it } from "vitest";
import { pointTree } from "./point-tree.ts";
import { Random } from "./random.ts";

it("finds the nearest of points in clumps, also from far away", () => {
  const random = new Random(11);
  const points = Float32Array.from({ length: 2400 }, (_, i) =>
    i < 1000 ? 5 * random.uniform() : i < 1200 ? 3 : 900 + 100 * random.uniform(),
  );
  const tree = pointTree(points);
  for (let query = 0; query < 500; query++) {
    const [x, y] = [1500 * random.uniform() - 200, 1500 * random.uniform() - 200];
    let least = Infinity;
    for (let p = 0; p < points.length; p += 2)
      least = Math.min(least, Math.hypot(points[p] - x, points[p + 1] - y));
    expect(tree.distance(x, y)).toBeCloseTo(least, 9);
  }
  expect(tree.distance(points[2000], points[2001])).toBe(0);
});

it("is infinitely far from nothing", () => {
  expect(pointTree(new Float32Array()).distance(1, 2)).toBe(Infinity);
});
