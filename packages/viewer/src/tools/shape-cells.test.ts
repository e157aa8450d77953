import { polygonArea } from "@stipple/numerics/polygon-area";
import { expect, it } from "vitest";
import { cellsOf } from "../cells/cell-set.ts";
import { pointGrid } from "../geometry/point-grid.ts";
import { cellsInShape } from "./shape-cells.ts";

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
