import { describe, expect, it } from "vitest";
import { givenCells, labelGivenCells } from "./space-ranger-cells.ts";

/** Square outlines, each given by x, y, and side in full-resolution px. */
function squares(list: readonly [number, number, number][]) {
  return {
    offsets: Uint32Array.from({ length: list.length + 1 }, (_, i) => 4 * i),
    xy: Float32Array.from(list.flatMap(([x, y, s]) => [x, y, x + s, y, x + s, y + s, x, y + s])),
  };
}

describe("labelGivenCells", () => {
  it("labels cells and nuclei in the tile, each nucleus in its own cell", () => {
    const outlines = {
      ids: Uint32Array.of(1, 2, 3),
      cells: squares([
        [20, 20, 20],
        [36, 20, 20],
        [500, 20, 20],
      ]),
      nuclei: squares([
        [24, 24, 8],
        [44, 24, 8],
        [504, 24, 8],
      ]),
    };
    const whole = { x: 0, y: 0, width: 40, height: 40 };
    const tile = { core: whole, outer: whole, hasTissue: true };
    const { labels, cells, count } = labelGivenCells(
      givenCells(outlines, 2, { widthPx: 300, heightPx: 300 }),
      tile,
    );
    expect(count).toBe(2);
    const area = (plane: Int32Array, label: number): number =>
      plane.reduce((sum, value) => sum + Number(value === label), 0);
    expect([area(labels, 1), area(labels, 2)]).toEqual([16, 16]);
    // The second cell overlaps the first by two columns of ten pixels, which remain with the first.
    expect([area(cells!, 1), area(cells!, 2)]).toEqual([100, 80]);
    expect(labels[12 * 40 + 12]).toBe(1);
    expect(cells![11 * 40 + 11]).toBe(1);
    expect(cells![10 * 40 + 27]).toBe(2);
  });
});
