import { expect, it } from "vitest";
import { editLandmarks, fitLandmarks, nearestSpot } from "./landmarks.ts";

const pair = (x: number, y: number, u: number, v: number) => ({
  from: [x, y] as [number, number],
  to: [u, v] as [number, number],
});
const THREE = [pair(0, 0, 10, 20), pair(100, 0, 110, 20), pair(0, 100, 10, 120)];

it("are fitted by an affine map as soon as three are not on a line", () => {
  expect(fitLandmarks(THREE.slice(0, 2)).map).toBeNull();
  expect(fitLandmarks([...THREE.slice(0, 2), pair(50, 0, 60, 20)]).map).toBeNull();
  const { map, residualPx } = fitLandmarks(THREE);
  expect(map).toEqual([1, 0, 10, 0, 1, 20]);
  expect(residualPx).toBe(0);
});

it("say of each how far it is off", () => {
  // A fourth corner that is 4 px off is shared by all four.
  const { residualsPx, residualPx } = fitLandmarks([...THREE, pair(100, 100, 114, 120)]);
  expect(residualsPx.map((px) => Math.round(px * 1000) / 1000)).toEqual([1, 1, 1, 1]);
  expect(residualPx).toBeCloseTo(1, 9);
});

it("can be undone to the first, and a reset too", () => {
  let edit = editLandmarks({ landmarks: [], past: [] }, { do: "add", landmark: THREE[0]! });
  edit = editLandmarks(edit, { do: "add", landmark: THREE[1]! });
  edit = editLandmarks(edit, { do: "remove", at: 0 });
  expect(edit.landmarks).toEqual([THREE[1]]);
  edit = editLandmarks(edit, { do: "reset", to: [] });
  expect(edit.landmarks).toEqual([]);
  for (const left of [[THREE[1]], [THREE[0], THREE[1]], [THREE[0]], [], []]) {
    edit = editLandmarks(edit, { do: "undo" });
    expect(edit.landmarks).toEqual(left);
  }
});

it("take the spot that is nearest where it is drawn", () => {
  const spots = [0, 0, 50, 0];
  expect(nearestSpot(spots, [1, 0, 0, 0, 1, 0], [20, 0])).toEqual([0, 0]);
  expect(nearestSpot(spots, [1, 0, -40, 0, 1, 0], [20, 0])).toEqual([50, 0]);
});
