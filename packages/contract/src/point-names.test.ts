import { describe, expect, it } from "vitest";
import { namesBeside } from "./point-names.ts";

const PLOT = { right: 440, top: 14 };
const named = (...points: [text: string, x: number, y: number][]) =>
  namesBeside(
    points.map(([text, x, y]) => ({ text, x, y })),
    PLOT,
  );

describe("names beside points", () => {
  it("are to the right, or to the left where the border is near", () => {
    expect(named(["ACTB", 100, 100], ["MUC1", 430, 50])).toEqual([
      { text: "ACTB", x: 105, y: 104, anchor: "start" },
      { text: "MUC1", x: 425, y: 54, anchor: "end" },
    ]);
  });

  it("stay below the title of the axis", () => {
    expect(named(["ANKRD37", 32, 16])).toEqual([
      { text: "ANKRD37", x: 37, y: 28, anchor: "start" },
    ]);
  });

  it("do not cover each other: the last ones are left out", () => {
    const crowd = named(
      ["BIRC5", 374, 82],
      ["UBE2A", 378, 84],
      ["B2M", 376, 88],
      ["CD79A", 375, 85],
      ["CD3E", 377, 86],
      ["CD3D", 376, 84],
      ["MS4A1", 375, 83],
    );
    expect(crowd.map(({ text }) => text).slice(0, 2)).toEqual(["BIRC5", "UBE2A"]);
    expect(crowd.length).toBeLessThan(7);
    const rows = new Set(crowd.map(({ anchor, y }) => `${anchor} ${Math.round(y / 8)}`));
    expect(rows.size).toBe(crowd.length);
  });
});
