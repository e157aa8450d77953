import { moved, type Affine } from "@stipple/contract/affine";
import { expect, it } from "vitest";
import {
  fromCommon,
  sectionMaps,
  toCommon,
  type LinkedSection,
  type SectionLandmarks,
} from "./linked-places.ts";

const A: LinkedSection = { id: "a", middle: [1000, 800], umPerUnit: 2 };
const B: LinkedSection = { id: "b", middle: [500, 500], umPerUnit: 4 };
const C: LinkedSection = { id: "c", middle: [300, 900], umPerUnit: 1 };
const CORNERS = [
  [0, 0],
  [900, 50],
  [100, 700],
] as const;

/** Landmarks that a map from the first section to the second explains. */
function landmarks(first: string, second: string, map: Affine): SectionLandmarks {
  return {
    between: [first, second],
    points: CORNERS.map(([x, y]) => [x, y, ...moved(map, x, y)]),
  };
}

it("links sections without landmarks by µm around their middles", () => {
  const maps = sectionMaps([A, B], []);
  // 200 µm to the right of the middle of A, at 0.5 µm per px.
  const place = { x: 1100, y: 800, zoom: 2 };
  const common = toCommon(maps.get("a")!, place);
  expect(common).toEqual({ x: 200, y: 0, umPerPx: 0.5 });
  expect(fromCommon(maps.get("b")!, common)).toEqual({ x: 550, y: 500, zoom: 3 });
  expect(fromCommon(maps.get("a")!, common)).toEqual(place);
});

it("follows the landmarks of serial sections, in either order and over a third section", () => {
  // A quarter turn; B's units are twice as large.
  const toB: Affine = [0, -0.5, 700, 0.5, 0, 20];
  const toC: Affine = [2, 0, -50, 0, 2, 10];
  const forward = sectionMaps([A, B, C], [landmarks("a", "b", toB), landmarks("a", "c", toC)]);
  const place = { x: 640, y: 360, zoom: 1 };
  const common = toCommon(forward.get("a")!, place);
  const [x, y] = moved(toB, place.x, place.y);
  const onB = fromCommon(forward.get("b")!, common);
  expect([onB.x, onB.y, onB.zoom].map((value) => Math.round(1e6 * value) / 1e6)).toEqual([x, y, 2]);
  // From B to C only over A.
  const backward = sectionMaps([B, C, A], [landmarks("a", "b", toB), landmarks("a", "c", toC)]);
  const onC = fromCommon(backward.get("c")!, toCommon(backward.get("b")!, { x, y, zoom: 2 }));
  const [cx, cy] = moved(toC, place.x, place.y);
  expect(onC.x).toBeCloseTo(cx, 6);
  expect(onC.y).toBeCloseTo(cy, 6);
  expect(onC.zoom).toBeCloseTo(0, 9);
});

it("turns a section as its landmarks say, mirrored or not", () => {
  const turnOf = (map: Affine) => {
    const { turn, on } = sectionMaps([A, B], [landmarks("a", "b", map)]).get("b")!;
    expect(on).toBe("a");
    return turn.map((value) => Math.round(1e6 * value) / 1e6 + 0);
  };
  // A quarter turn of A gives B, so that B is turned back.
  expect(turnOf([0, -0.5, 700, 0.5, 0, 20])).toEqual([0, 1, -1, 0]);
  expect(turnOf([-2, 0, 900, 0, 2, 10])).toEqual([-1, 0, 0, 1]);
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  expect(turnOf([cos, -sin, 5, sin, cos, 9])).toEqual(
    [cos, sin, -sin, cos].map((value) => Math.round(1e6 * value) / 1e6),
  );
  expect(sectionMaps([A, B], []).get("b")).toMatchObject({ turn: [1, 0, 0, 1], on: "b" });
});

it("leaves a section in the middle whose landmarks lie on a line or are of others", () => {
  const onLine: SectionLandmarks = {
    between: ["a", "b"],
    points: [0, 1, 2].map((n) => [n, n, n, n]),
  };
  const apart = sectionMaps([A, B], []);
  expect(sectionMaps([A, B], [onLine])).toEqual(apart);
  expect(sectionMaps([A, B], [landmarks("a", "c", [1, 0, 0, 0, 1, 0])])).toEqual(apart);
});
