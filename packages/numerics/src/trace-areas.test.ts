import { expect, it } from "vitest";
import { polygonArea } from "./polygon-area.ts";
import { Random } from "./random.ts";
import { crossingOf } from "./crossing.ts";
import { traceAreas } from "./trace-areas.ts";

function image(...rows: string[]): [Int32Array, number, number] {
  return [Int32Array.from(rows.join(""), (digit) => Number(digit)), rows[0]!.length, rows.length];
}

it("separates parts, and gives each its holes", () => {
  const areas = traceAreas(
    ...image(
      "1111111000", //
      "1000001022",
      "1011101022",
      "1010101000",
      "1011101000",
      "1000001011",
      "1111111011",
    ),
  );
  expect([...areas.keys()].sort()).toEqual([1, 2]);
  // The frame with its hole, the ring in it with its hole, and a square.
  expect(areas.get(1)!.map((rings) => rings.length)).toEqual([2, 2, 1]);
  expect(areas.get(2)).toEqual([
    [Float64Array.of(8.5, 1, 9.5, 1, 10, 1.5, 10, 2.5, 9.5, 3, 8.5, 3, 8, 2.5, 8, 1.5)],
  ]);
});

it("holds the middles of a label's pixels and no others, with borders that do not cross", () => {
  const random = new Random(3);
  const [width, height] = [40, 30];
  const labels = Int32Array.from({ length: width * height }, () =>
    Math.floor(4 * random.uniform()),
  );
  const areas = traceAreas(labels, width, height);
  for (const label of [1, 2, 3]) {
    const polygons = areas.get(label)!;
    expect(crossingOf(polygons.flat())).toBeNull();
    const { holds } = polygonArea(polygons);
    labels.forEach((value, p) => {
      expect(holds((p % width) + 0.5, Math.floor(p / width) + 0.5)).toBe(value === label);
    });
  }
});
