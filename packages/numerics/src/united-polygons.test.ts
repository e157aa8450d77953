import { expect, it } from "vitest";
import { polygonArea } from "./polygon-area.ts";
import { Random } from "./random.ts";
import { unitedPolygons } from "./united-polygons.ts";

const box = (x: number, y: number, width: number, height = width): Float64Array =>
  Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height);

/** Length of the border. */
function around(polygons: readonly (readonly Float64Array[])[]): number {
  const { border } = unitedPolygons(polygons);
  let length = 0;
  for (let e = 0; e < border.length; e += 4) {
    length += Math.hypot(border[e + 2] - border[e], border[e + 3] - border[e + 1]);
  }
  return length;
}

it("counts ground of several polygons once, and has no border where others go on", () => {
  const overlapping = [[box(0, 0, 10), box(4, 4, 2)], [box(8, 0, 10)]];
  expect(unitedPolygons(overlapping).area).toBeCloseTo(176, 9);
  expect(around(overlapping)).toBeCloseTo(56 + 8, 9);
  // Side by side, twice the same, inside another one, in another one's hole, and far away.
  expect(around([[box(0, 0, 10)], [box(10, 0, 10)]])).toBeCloseTo(60, 9);
  expect(around([[box(0, 0, 10)], [box(0, 0, 10).slice()]])).toBeCloseTo(40, 9);
  expect(around([[box(0, 0, 10)], [box(2, 2, 3)]])).toBeCloseTo(40, 9);
  expect(around([[box(0, 0, 10), box(2, 2, 6)], [box(4, 4, 2)]])).toBeCloseTo(72, 9);
  expect(around([[box(0, 0, 10)], [box(50, 0, 10)]])).toBe(80);
  expect(unitedPolygons([])).toEqual({ area: 0, border: new Float64Array() });
});

it("unites so many tiles that they are cut apart first", () => {
  for (const side of [20, 20.01]) {
    const tiles = Array.from({ length: 2500 }, (_, t) => [
      box(20 * (t % 50), 20 * Math.floor(t / 50), side),
    ]);
    expect(unitedPolygons(tiles).area).toBeCloseTo((980 + side) ** 2, 3);
    expect(around(tiles)).toBeCloseTo(4 * (980 + side), 6);
  }
});

it("unites long ragged outlines quickly", () => {
  const random = new Random(4);
  const blob = (middle: number, points: number): Float64Array[] => {
    const ring = new Float64Array(2 * points);
    for (let p = 0; p < points; p++) {
      const angle = (2 * Math.PI * p) / points;
      const radius = 1000 * (1 + 0.1 * Math.sin(5 * angle) + 0.01 * random.uniform());
      ring[2 * p] = middle + radius * Math.cos(angle);
      ring[2 * p + 1] = radius * Math.sin(angle);
    }
    return [ring];
  };
  const blobs = [blob(0, 8000), blob(800, 8000)];
  const { area } = unitedPolygons(blobs);
  expect(unitedPolygons([...blobs, ...blobs]).area).toBeCloseTo(area, 3);
  const { holds, signedDistance } = polygonArea(blobs);
  let inside = 0;
  for (let trial = 0; trial < 50_000; trial++) {
    if (holds(3200 * random.uniform() - 1200, 2400 * random.uniform() - 1200)) inside++;
  }
  expect(((inside / 50_000) * 3200 * 2400) / area).toBeCloseTo(1, 2);
  // Where both lie over each other, borders of one are inside the other.
  expect(signedDistance(400, 0)).toBeLessThan(-500);
});
