import { expect, it } from "vitest";
import { polygonArea } from "./polygon-area.ts";
import { Random } from "./random.ts";

const square = (x: number, y: number, side: number): Float64Array =>
  Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side);

it("says what lies in overlapping polygons with holes, and how far from a border", () => {
  const area = polygonArea([[square(0, 0, 10), square(4, 4, 2)], [square(8, 0, 10)]]);
  expect(
    [
      [5, 5],
      [2, 5],
      [9, 5],
      [17, 5],
      [20, 5],
      [5, 13],
    ].map(([x, y]) => area.holds(x, y)),
  ).toEqual([false, true, true, true, false, false]);
  expect(
    [
      [5, 5],
      [2, 5],
      [5, 13],
      [21, 14],
    ].map(([x, y]) => area.signedDistance(x, y)),
  ).toEqual([1, -2, 3, 5]);
  expect(polygonArea([]).holds(1, 1)).toBe(false);
});

it("finds the same as going through all of many polygons", () => {
  const random = new Random(3);
  const boxes = Array.from({ length: 300 }, () => [
    100 * random.uniform(),
    100 * random.uniform(),
    6 * random.uniform(),
  ]);
  const area = polygonArea(boxes.map(([x, y, side]) => [square(x, y, side)]));
  for (let point = 0; point < 2000; point++) {
    const [px, py] = [110 * random.uniform(), 110 * random.uniform()];
    const inside = boxes.some(([x, y, s]) => px > x && px < x + s && py > y && py < y + s);
    expect(area.holds(px, py)).toBe(inside);
  }
});
