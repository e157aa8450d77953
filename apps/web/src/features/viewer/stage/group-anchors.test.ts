import { expect, it } from "vitest";
import { groupAnchors, placedLabels } from "./group-anchors.ts";
import { namedBy } from "./use-group-anchors.ts";

it("names the groups that color the UMAP, one's own too, and types under values", () => {
  expect((["cluster", "own", "type", "gene", "measure"] as const).map(namedBy)).toEqual([
    ...["cluster", "own", "type", "type", "type"],
  ]);
  expect(namedBy("groups")).toBeNull();
});

it("labels a group on its densest island, largest group first, and leaves tiny groups out", () => {
  const at: number[] = [];
  const groups: number[] = [];
  const island = (group: number, x: number, y: number, count: number) => {
    for (let cell = 0; cell < count; cell++) {
      at.push(x + (cell % 10) / 100, y + Math.floor(cell / 10) / 100);
      groups.push(group);
    }
  };
  island(1, 0, 0, 100);
  // The mean of these two islands lies on the other group.
  island(0, -10, 0, 300);
  island(0, 10, 0, 200);
  island(2, 5, 5, 2);
  island(65_535, 5, -5, 50);
  const anchors = groupAnchors(Float32Array.from(at), Uint16Array.from(groups), 3);
  expect(anchors.map(({ group }) => group)).toEqual([0, 1]);
  expect(Math.abs(anchors[0]!.x + 10)).toBeLessThan(1);
  expect(Math.abs(anchors[1]!.x)).toBeLessThan(1);
  expect(groupAnchors(new Float32Array(), new Uint16Array(), 3)).toEqual([]);
});

it("moves a label that would cover another, and omits those without room or outside", () => {
  const label = (name: string, x: number, y: number) => ({ name, x, y });
  const size = { widthPx: 200, heightPx: 100, lineHeight: 10 };
  const many = Array.from({ length: 7 }, (_, at) => label(`${at}`, 100, 50));
  const placed = placedLabels([label("out", 300, 50), ...many], size, () => 40);
  expect(placed.map(({ y }) => y)).toEqual([50, 39, 61, 28, 72]);
  expect(placedLabels([label("edge", 199, 50)], size, () => 40)[0]!.x).toBe(176);
  expect(placedLabels([label("a", 50, 50), label("b", 100, 50)], size, () => 40)).toHaveLength(2);
});
