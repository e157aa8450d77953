import { polygonArea } from "@stipple/numerics/polygon-area";
import { expect, it } from "vitest";
import { cellsOf } from "../cells/cell-set.ts";
import { pointGrid } from "../geometry/point-grid.ts";
import { cellsInRing, cellsInShape } from "./shape-cells.ts";

it("finds the cells that going through all of them finds: overlaps once, holes not, cells without a place neither", () => {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const positions = Float32Array.from({ length: 8000 }, () => 100 * random());
  positions.fill(NaN, 0, 2);
  const box = (x: number, y: number, side: number) =>
    Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side);
  const shape = [
    [box(10, 10, 40), box(20, 20, 15)],
    [box(45, 30, 20)],
    ...Array.from({ length: 50 }, () => [box(90 * random(), 90 * random(), 9 * random())]),
  ];
  const { holds } = polygonArea(shape);
  const expected = Array.from({ length: 4000 }, (_, cell) => cell).filter((cell) =>
    holds(positions[2 * cell]!, positions[2 * cell + 1]!),
  );
  const found = cellsInShape(positions, pointGrid(positions), shape);
  expect([...cellsOf(found)]).toEqual(expected);
  expect(found.count).toBe(expected.length);
  expect(expected.length).toBeGreaterThan(500);
});

/** Lattice 0–9 × 0–9, cell = 10 y + x, offset slightly from the integers so that no corner is hit. */
const LATTICE = new Float32Array(200).map((_, at) =>
  at % 2 === 0 ? ((at / 2) % 10) + 0.25 : Math.floor(at / 20) + 0.25,
);

const inside = (...ring: number[]) => [...cellsOf(cellsInRing(LATTICE, Float64Array.from(ring)))];

it("selects the cells in a rectangle, whichever way it is drawn", () => {
  const cells = [22, 23, 24, 32, 33, 34];
  expect(inside(2, 2, 5, 2, 5, 4, 2, 4)).toEqual(cells);
  expect(inside(2, 4, 5, 4, 5, 2, 2, 2)).toEqual(cells);
});

it("excludes the notch of a U", () => {
  const cells = inside(0, 0, 1, 0, 1, 2, 2, 2, 2, 0, 3, 0, 3, 3, 0, 3);
  expect(cells).toEqual([0, 2, 10, 12, 20, 21, 22]);
});

it("includes areas that the line winds around twice", () => {
  const once = [0, 0, 3, 0, 3, 3, 0, 3];
  expect(inside(...once, ...once)).toEqual(inside(...once));
});

it("finds nothing in a line, a point, or an empty region, and skips cells without a position", () => {
  expect(inside(1, 1, 4, 1, 8, 1)).toEqual([]);
  expect(inside(1, 1)).toEqual([]);
  expect(inside()).toEqual([]);
  const nowhere = Float32Array.from([NaN, 1, 1, NaN, 0.5, 0.5]);
  expect(cellsInRing(nowhere, Float64Array.from([0, 0, 2, 0, 2, 2, 0, 2])).count).toBe(1);
});

it("agrees with the angle sum for a ragged star", () => {
  const ring: number[] = [];
  for (let corner = 0; corner < 301; corner++) {
    const angle = (2 * Math.PI * corner) / 301;
    const radius = 2 + 2.5 * Math.abs(Math.sin(corner * 1.7));
    ring.push(5 + radius * Math.cos(angle), 5 + radius * Math.sin(angle));
  }
  const winds = (x: number, y: number): boolean => {
    let turned = 0;
    for (let at = 0; at < ring.length; at += 2) {
      const next = (at + 2) % ring.length;
      const from = Math.atan2(ring[at + 1]! - y, ring[at]! - x);
      const to = Math.atan2(ring[next + 1]! - y, ring[next]! - x);
      turned += ((to - from + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    }
    return Math.abs(turned) > Math.PI;
  };
  const expected = Array.from({ length: 100 }, (_, cell) => cell).filter((cell) =>
    winds(LATTICE[2 * cell]!, LATTICE[2 * cell + 1]!),
  );
  expect(expected.length).toBeGreaterThan(20);
  expect(inside(...ring)).toEqual(expected);
});

it("agrees with a brute-force edge test for 20,000 points and a tangled line", () => {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const places = new Float32Array(40_000).map(() => 100 * random());
  const ring = new Float64Array(120).map(() => 10 + 80 * random());
  const winding = (x: number, y: number): number => {
    let turns = 0;
    for (let at = 0; at < ring.length; at += 2) {
      const next = (at + 2) % ring.length;
      const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[next]!, ring[next + 1]!];
      const left = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
      if (y0 <= y && y1 > y && left > 0) turns += 1;
      if (y0 > y && y1 <= y && left < 0) turns -= 1;
    }
    return turns;
  };
  const expected = Array.from({ length: 20_000 }, (_, cell) => cell).filter(
    (cell) => winding(places[2 * cell]!, places[2 * cell + 1]!) !== 0,
  );
  expect([...cellsOf(cellsInRing(places, ring))]).toEqual(expected);
});
