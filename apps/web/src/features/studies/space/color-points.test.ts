import type { StudySpaceAnswer } from "@stipple/contract/routes/studies";
import { NO_TYPE } from "@stipple/contract/study-points";
import { expect, it } from "vitest";
import { colorPoints, drawPoints } from "./color-points.ts";

const SPACE = {
  samples: [
    { name: "S1", condition: "tumor", points: 2, color: "#ff0000" },
    { name: "S2", condition: "", points: 1, color: "#00ff00" },
  ],
  conditions: [{ name: "tumor", color: "#0000ff" }],
  types: [{ name: "T cell", color: "#123456" }],
  clusters: [{ color: "#ffffff" }, { color: "#808080" }],
} as unknown as StudySpaceAnswer;
const POINTS = { cluster: Uint16Array.of(1, 0, 0), type: Uint16Array.of(0, NO_TYPE, 0) };

it("colors points by sample, condition, type, and cluster; what has none comes after the legend", () => {
  const of = (by: Parameters<typeof colorPoints>[2]) => [...colorPoints(SPACE, POINTS, by).of];
  expect(of("sample")).toEqual([0, 0, 1]);
  expect(of("condition")).toEqual([0, 0, 1]);
  expect(of("type")).toEqual([0, 1, 0]);
  expect(of("cluster")).toEqual([1, 0, 0]);
});

it("draws every point in its color, y upward", () => {
  const colored = colorPoints(SPACE, POINTS, "sample");
  // The corners at the bottom left, the top right, and the bottom right.
  const xy = Uint16Array.of(0, 0, 65_535, 65_535, 65_535, 0);
  const side = 20;
  const pixels = drawPoints(xy, colored, side);
  const colorsIn = (left: number, top: number): Set<string> => {
    const found = new Set<string>();
    for (let y = top; y < top + side / 2; y++) {
      for (let x = left; x < left + side / 2; x++) {
        const at = 4 * (y * side + x);
        if (pixels[at + 3] === 255) found.add([...pixels.subarray(at, at + 3)].join());
      }
    }
    return found;
  };
  expect(colorsIn(0, side / 2)).toEqual(new Set(["255,0,0"]));
  expect(colorsIn(side / 2, 0)).toEqual(new Set(["255,0,0"]));
  expect(colorsIn(side / 2, side / 2)).toEqual(new Set(["0,255,0"]));
  expect(colorsIn(0, 0)).toEqual(new Set());
});
