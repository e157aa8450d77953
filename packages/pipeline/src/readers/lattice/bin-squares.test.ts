import { describe, expect, it } from "vitest";
import { binGrid } from "./bin-squares.ts";

const SIDE = 20;
const PITCH = 29.2;

/** Bins of a grid rotated by `angle`, optionally mirrored or with swapped axes, at whole pixels if `whole`. */
function turned(angle: number, { mirrored = false, swapped = false, whole = false } = {}) {
  const xy = { nRows: SIDE ** 2, nCols: 2, data: new Float64Array(2 * SIDE ** 2) };
  const array = { nRows: SIDE ** 2, nCols: 2, data: new Int32Array(2 * SIDE ** 2) };
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const [u, v] = [PITCH * (mirrored ? -column : column), PITCH * row];
      const place = [
        900 + u * Math.cos(angle) - v * Math.sin(angle),
        500 + u * Math.sin(angle) + v * Math.cos(angle),
      ];
      const at = 2 * (row * SIDE + column);
      xy.data.set(whole ? place.map(Math.round) : place, at);
      array.data.set(swapped ? [column, row] : [row, column], at);
    }
  }
  return { xy, array };
}

describe("binGrid", () => {
  it.each([
    [0, 0],
    [0.03, 0.03],
    [-0.4, -0.4],
    [Math.PI / 2 + 0.05, 0.05],
    [Math.PI - 0.02, -0.02],
  ])("finds the angle of a grid turned by %d", (angle, seen) => {
    for (const way of [{}, { mirrored: true }, { swapped: true }]) {
      const { xy, array } = turned(angle, way);
      const grid = binGrid(xy, array, 29.1);
      expect(grid.angle).toBeCloseTo(seen, 9);
      expect(grid.sidePx).toBeCloseTo(PITCH, 9);
    }
  });

  it("recovers the grid from rounded positions", () => {
    const { xy, array } = turned(0.1, { whole: true });
    const grid = binGrid(xy, array, 29.1);
    expect(Math.abs(grid.angle - 0.1)).toBeLessThan(1e-3);
    expect(Math.abs(grid.sidePx - PITCH)).toBeLessThan(0.03);
  });

  it("falls back to the nominal side when positions are not a grid", () => {
    const { xy, array } = turned(0.1);
    expect(binGrid(xy, array, 60)).toEqual({ sidePx: 60, angle: 0 });
    const single = { ...array, data: array.data.slice().fill(3) };
    expect(binGrid(xy, single, 29)).toEqual({ sidePx: 29, angle: 0 });
  });
});

it("gives squares that cover a rotated grid exactly once", () => {
  const { xy, array } = turned(0.2);
  const { sidePx, angle } = binGrid(xy, array, PITCH);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middle = PITCH * (SIDE / 2);
  // Samples within the grid, well away from its edge.
  for (let step = 0; step < 2000; step++) {
    const [u, v] = [0, 1].map((part) => middle + 6 * PITCH * Math.sin(step * (1.7 + part)));
    const x = 900 + u * Math.cos(0.2) - v * Math.sin(0.2);
    const y = 500 + u * Math.sin(0.2) + v * Math.cos(0.2);
    let holding = 0;
    for (let bin = 0; bin < xy.nRows; bin++) {
      const [dx, dy] = [x - xy.data[2 * bin], y - xy.data[2 * bin + 1]];
      const [along, across] = [dx * cos + dy * sin, dy * cos - dx * sin];
      if (Math.max(Math.abs(along), Math.abs(across)) <= sidePx / 2) holding++;
    }
    expect(holding).toBe(1);
  }
});
