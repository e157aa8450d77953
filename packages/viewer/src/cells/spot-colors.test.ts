import { describe, expect, it } from "vitest";
import { spotColors, spotEdgeColors } from "./spot-colors.ts";

describe("colors of spots", () => {
  it("show a gene's counts on a separate scale", () => {
    const values = Float32Array.of(0, 5, 10);
    const range = { low: 0, high: 10, expressing: 2 };
    const rgba = spotColors(
      { by: "value", values, range, observedOnly: false },
      values.length,
      undefined,
    );
    expect([...rgba.slice(0, 4)]).toEqual([68, 1, 84, 255]);
    expect([...rgba.slice(8, 12)]).toEqual([253, 231, 37, 255]);
  });

  it("show clusters, or a single color where nothing is known", () => {
    const palette = [
      [1, 2, 3],
      [4, 5, 6],
    ] as const;
    const rgba = spotColors({ by: "group", of: "cluster", palette }, 2, Uint16Array.of(1, 65_535));
    expect([...rgba.slice(0, 3)]).toEqual([4, 5, 6]);
    expect([...rgba.slice(4, 7)]).toEqual([201, 209, 218]);
    const edges = spotEdgeColors(2);
    expect([...edges.slice(0, 4)]).toEqual([...edges.slice(4)]);
  });
});
