import { describe, expect, it } from "vitest";
import { viewRegion, type RegionValue } from "../region-shape.ts";
import { regionAnchors } from "./region-anchors.ts";

const square = (from: number, to: number): [number, number][] => [
  [from, from],
  [to, from],
  [to, to],
  [from, to],
];

function anchorsOf(polygons: RegionValue["polygons"]) {
  const value: RegionValue = {
    name: "Tumor",
    color: "#cc3300",
    class: null,
    excluded: false,
    polygons,
  };
  return regionAnchors([viewRegion("r", value, { micronsPerPixel: 1, tissue: { scale: 1 } })], []);
}

describe("the name of a region", () => {
  it("stands in the middle of a plain one", () => {
    expect(anchorsOf([[square(10, 50)]])).toEqual([{ name: "Tumor", x: 30, y: 30 }]);
  });

  it("stands beside a hole, at the wider side", () => {
    expect(anchorsOf([[square(0, 100), square(20, 60)]])).toEqual([
      { name: "Tumor", x: 80, y: 50 },
    ]);
  });

  it("stands in no bay, and in the polygon that covers most without its holes", () => {
    // A U, beside a frame that is larger but nearly empty.
    const bay: [number, number][] = [
      [0, 0],
      [20, 0],
      [20, 80],
      [70, 80],
      [70, 0],
      [100, 0],
      [100, 100],
      [0, 100],
    ];
    const frame = [square(200, 320), square(201, 319)];
    expect(anchorsOf([frame, [bay]])).toEqual([{ name: "Tumor", x: 85, y: 50 }]);
  });
});
