import { expect, it } from "vitest";
import { depthOf, tissueScene } from "./scene.ts";

it("draws the same tissue from the same seed, and a different one from another seed", () => {
  expect(tissueScene(7)).toEqual(tissueScene(7));
  expect(tissueScene(7).cells[0]).not.toEqual(tissueScene(8).cells[0]);
});

it("keeps every cell inside the tissue and counts each under one spot", () => {
  const { cells, spots } = tissueScene(7);
  expect(cells.length).toBeGreaterThan(500);
  expect(cells.every((cell) => depthOf(cell) <= 1)).toBe(true);
  const counted = spots.flatMap(({ counts }) => [...counts]).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(cells.length);
});
