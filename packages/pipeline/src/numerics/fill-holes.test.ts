import { expect, it } from "vitest";
import { fillHoles } from "./fill-holes.ts";

function filled(rows: string[], maxArea: number): string[] {
  const width = rows[0].length;
  const mask = Uint8Array.from(rows.join(""), (sign) => (sign === "#" ? 1 : 0));
  fillHoles(mask, width, maxArea);
  return rows.map((_, y) =>
    Array.from(mask.subarray(y * width, (y + 1) * width), (value) => (value ? "#" : ".")).join(""),
  );
}

it("fills small enclosed holes, not large ones or ones open at the border", () => {
  const rows = [
    "..........",
    ".#######..",
    ".#..#.##.#",
    ".##.#..#.#",
    ".#..#.##.#",
    ".#######.#",
    "........#.",
  ];
  expect(filled(rows, 4)).toEqual([
    "..........",
    ".#######..",
    ".#..####.#",
    ".##.####.#",
    ".#..####.#",
    ".#######.#",
    "........#.",
  ]);
  expect(filled(rows, 5)[2]).toBe(".#######.#");
  expect(filled(rows, 3)).toEqual(rows);
});

it("treats pixels that touch only at a corner as separate", () => {
  expect(filled(["#####", "##.##", "#.#.#", "##.##", "#####"], 1)).toEqual(Array(5).fill("#####"));
});
