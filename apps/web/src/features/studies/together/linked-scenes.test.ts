import type { Place } from "@stipple/viewer/choices";
import { sectionMaps } from "@stipple/viewer/geometry";
import { expect, it } from "vitest";
import { LinkedScenes } from "./linked-scenes.ts";

const MAPS = sectionMaps(
  [
    { id: "a", middle: [100, 100], umPerUnit: 1 },
    { id: "b", middle: [50, 50], umPerUnit: 2 },
  ],
  [],
);

/** Two scenes that tell of their moves, as real ones do. */
function twoScenes(apart: ReadonlySet<string> = new Set()) {
  const linked = new LinkedScenes<{ goTo(place: Place): void }>();
  const at: Record<string, Place> = {};
  const scene = (id: string) => ({
    goTo(place: Place) {
      at[id] = place;
      linked.moved(id, place);
    },
  });
  linked.arrange(MAPS, apart);
  for (const id of ["a", "b"]) linked.add(id, scene(id));
  const move = (id: string, place: Place): void => linked.sceneOf(id)!.goTo(place);
  return { linked, at, move };
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
