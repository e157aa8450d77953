import { describe, expect, it } from "vitest";
import { matchComponents, reorderedWeights } from "./match-components.ts";

describe("components of the fit", () => {
  it("go to the types whose markers they show, each to one type", () => {
    // The first type's component shows the third type's markers, and "none" (last row) shows the first type's.
    const odds = [
      [-6, 2, 14],
      [-5, 16, -3],
      [-4, 1, -4],
      [9, -2, 3],
    ];
    expect(matchComponents(odds)).toEqual([3, 1, 0]);
  });

  it("stay when another type's odds are hardly higher, and never go to a type with negative odds", () => {
    expect(
      matchComponents([
        [15.8, 17],
        [3, 14.8],
      ]),
    ).toEqual([0, 1]);
    expect(
      matchComponents([
        [-8, 20],
        [-9, 5],
      ]),
    ).toEqual([-1, 0]);
  });

  it("keep their weights in the new order; a type without one starts at zero", () => {
    const gate = { k: 3, weights: Float64Array.of(1, 2, 3, 4, 5, 6) };
    expect([...reorderedWeights(gate, [1, 0])]).toEqual([2, 1, 3, 5, 4, 6]);
    expect([...reorderedWeights(gate, [2, -1])]).toEqual([3, 0, 0, 6, 0, 0]);
    expect([...reorderedWeights(gate, [1])]).toEqual([2, 3, 5, 6]);
  });
});
