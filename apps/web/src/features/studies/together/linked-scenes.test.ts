import type { Scene } from "@stipple/viewer";
import type { Place } from "@stipple/viewer/choices";
import { sectionMaps, type LinkedSection } from "@stipple/viewer/geometry";
import { expect, it } from "vitest";
import { LinkedScenes } from "./linked-scenes.ts";

const SECTIONS: LinkedSection[] = [
  { id: "a", middle: [100, 100], umPerUnit: 1 },
  { id: "b", middle: [50, 50], umPerUnit: 2 },
];
const MAPS = sectionMaps(SECTIONS, []);

/** Two scenes that tell of their moves, as real ones do. */
function twoScenes(apart: ReadonlySet<string> = new Set(), maps = MAPS) {
  const linked = new LinkedScenes<Pick<Scene, "goTo" | "turn">>();
  const at: Record<string, Place> = {};
  const turns: Record<string, readonly number[]> = {};
  const scene = (id: string) => ({
    goTo(place: Place) {
      at[id] = place;
      linked.moved(id, place);
    },
    turn(turn: readonly number[]) {
      turns[id] = turn.map((part) => Math.round(part) + 0);
    },
  });
  linked.arrange(maps, apart);
  for (const id of ["a", "b"]) linked.add(id, scene(id));
  const move = (id: string, place: Place): void => linked.sceneOf(id)!.goTo(place);
  return { linked, at, turns, move };
}

it("moves the others with the section that a person moves, in µm, and back", () => {
  const { linked, at, move } = twoScenes();
  // Nobody has touched anything: what scenes do on their own moves no other.
  move("a", { x: 0, y: 0, zoom: 0 });
  expect(at["b"]).toBeUndefined();
  linked.lead("a");
  move("a", { x: 120, y: 100, zoom: 1 });
  expect(at["b"]).toEqual({ x: 60, y: 50, zoom: 2 });
  linked.lead("b");
  move("b", { x: 50, y: 40, zoom: 0 });
  expect(at["a"]).toEqual({ x: 100, y: 80, zoom: -1 });
});

it("shows sections with landmarks alike before anyone moves them", () => {
  const points = [
    [100, 100, 50, 50],
    [140, 100, 50, 70],
    [100, 160, 20, 50],
  ] as const;
  const maps = sectionMaps(SECTIONS, [{ between: ["a", "b"], points }]);
  const { linked, at, turns, move } = twoScenes(new Set(), maps);
  expect(turns).toEqual({ a: [1, 0, 0, 1], b: [0, 1, -1, 0] });
  move("b", { x: 0, y: 0, zoom: 0 });
  expect(at["a"]).toBeUndefined();
  move("a", { x: 140, y: 100, zoom: 1 });
  expect(at["b"]!.x).toBeCloseTo(50);
  expect(at["b"]!.y).toBeCloseTo(70);
  linked.arrange(MAPS, new Set());
  expect(turns["b"]).toEqual([1, 0, 0, 1]);
});

it("leaves a section alone that is moved on its own, until it is linked again", () => {
  const { linked, at, move } = twoScenes(new Set(["b"]));
  linked.lead("a");
  move("a", { x: 120, y: 100, zoom: 1 });
  expect(at["b"]).toBeUndefined();
  linked.lead("b");
  move("b", { x: 0, y: 0, zoom: 0 });
  expect(at["a"]).toEqual({ x: 120, y: 100, zoom: 1 });
  linked.lead("a");
  linked.arrange(MAPS, new Set());
  expect(at["b"]).toEqual({ x: 60, y: 50, zoom: 2 });
});

it("shows on the others what the pointer is on", () => {
  const { linked } = twoScenes();
  linked.point("a", [110, 90]);
  expect(linked.pointedOn("b")).toEqual([55, 45]);
  expect(linked.pointedOn("a")).toBeNull();
  linked.point("a", null);
  expect(linked.pointedOn("b")).toBeNull();
});
