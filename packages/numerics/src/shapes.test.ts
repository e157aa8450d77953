import { describe, expect, it } from "vitest";
import { Random } from "./random.ts";
import { ringStrips } from "./ring-strips.ts";
import { crossingOf } from "./crossing.ts";
import { segmentTree, segmentsOf } from "./segment-tree.ts";

/** A square of side 10 with a hole of side 4 in its middle, and a triangle next to it. */
const RINGS = [
  Float64Array.from([0, 0, 10, 0, 10, 10, 0, 10]),
  Float64Array.from([3, 3, 7, 3, 7, 7, 3, 7]),
  Float64Array.from([20, 0, 24, 0, 20, 4]),
];

describe("a shape of rings", () => {
  it("holds what lies between its borders, and nothing in its holes", () => {
    const { holds } = ringStrips(RINGS);
    const inside = [
      [1, 1],
      [9, 5],
      [5, 2],
      [20.5, 0.5],
    ];
    const outside = [
      [5, 5],
      [-1, 5],
      [11, 5],
      [15, 2],
      [23, 3],
      [5, 11],
    ];
    expect(inside.map(([x, y]) => holds(x, y))).toEqual(inside.map(() => true));
    expect(outside.map(([x, y]) => holds(x, y))).toEqual(outside.map(() => false));
  });

  it("is as far away as its nearest border", () => {
    const { distance } = segmentTree(segmentsOf(RINGS));
    expect(distance(5, 5)).toBeCloseTo(2, 12);
    expect(distance(1, 5)).toBeCloseTo(1, 12);
    expect(distance(-3, -4)).toBeCloseTo(5, 12);
    expect(distance(23, 3)).toBeCloseTo(Math.SQRT2, 12);
    expect(distance(1000, 0)).toBeCloseTo(976, 9);
  });

  it("agrees with going through every edge of a ragged ring", () => {
    const random = new Random(3);
    const n = 500;
    const ring = Float64Array.from({ length: 2 * n }, (_, i) => {
      const angle = (2 * Math.PI * Math.floor(i / 2)) / n;
      const radius = 100 + 20 * Math.sin(7 * angle) + 5 * Math.sin(41 * angle);
      return radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const [{ distance }, { holds }] = [segmentTree(segmentsOf([ring])), ringStrips([ring])];
    for (let trial = 0; trial < 500; trial++) {
      const [x, y] = [300 * random.uniform() - 150, 300 * random.uniform() - 150];
      let [least, crossed] = [Infinity, 0];
      for (let p = 0; p < n; p++) {
        const q = (p + 1) % n;
        const [ax, ay, bx, by] = [ring[2 * p], ring[2 * p + 1], ring[2 * q], ring[2 * q + 1]];
        const along =
          ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
        const t = Math.min(1, Math.max(0, along));
        least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
        if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) crossed++;
      }
      expect(distance(x, y)).toBeCloseTo(least, 9);
      expect(holds(x, y)).toBe(crossed % 2 === 1);
    }
  });

  it("tells where its border crosses itself", () => {
    expect(crossingOf(RINGS)).toBeNull();
    const bowtie = Float64Array.from([0, 0, 10, 10, 10, 0, 0, 10]);
    expect(crossingOf([bowtie])).toEqual([5, 5]);
    const shifted = RINGS[0].map((value) => value + 5);
    expect(crossingOf([RINGS[0], shifted])).not.toBeNull();
    // Also among more corners than are compared each with each.
    const circle = Float64Array.from({ length: 600 }, (_, at) =>
      at % 2 === 0 ? Math.cos((at * Math.PI) / 600) : Math.sin(((at - 1) * Math.PI) / 600),
    );
    expect(crossingOf([circle])).toBeNull();
    const turned = circle.slice();
    turned.set(circle.subarray(100, 102), 102);
    turned.set(circle.subarray(102, 104), 100);
    const [x, y] = crossingOf([turned])!;
    expect(Math.hypot(x - circle[100], y - circle[101])).toBeLessThan(0.02);
  });
});
