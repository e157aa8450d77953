import { describe, expect, it } from "vitest";
import { isConfirmed, ownersOf, posteriorOfOwners } from "./component-owners.ts";

const [UP, DOWN] = [0.8, -0.1];

describe("owners of components", () => {
  const b = new Array<number>(8).fill(UP);
  const plasma = new Array<number>(5).fill(UP);
  const none = (markers: number): number[] => new Array<number>(markers).fill(DOWN);
  const empty = [none(8), none(5)];

  it("are the types that components show most clearly, so one type can own several", () => {
    // B cells express the markers of plasma cells: both components show both types.
    expect(ownersOf([[b, plasma], [b, plasma], empty])).toEqual([0, 0, -1]);
    // A component whose own type is not confirmed goes to the one that is.
    expect(ownersOf([[b, none(5)], [b, none(5)], empty])).toEqual([0, 0, -1]);
  });

  it("stay if the other type's component shows only its own markers, as this one then mixes both types", () => {
    expect(ownersOf([[b, none(5)], [b, plasma], empty])).toEqual([0, 1, -1]);
  });

  it("have at least three fifths of their markers confirmed, half of sixteen or more, and at least three", () => {
    const of = (up: number, markers: number): number[] =>
      Array.from({ length: markers }, (_, i) => (i < up ? UP : DOWN));
    expect([of(5, 10), of(6, 10), of(2, 3), of(3, 3)].map((raises) => isConfirmed(raises))).toEqual(
      [false, true, false, true],
    );
    expect([of(8, 15), of(8, 16), of(7, 16)].map((raises) => isConfirmed(raises))).toEqual([
      false,
      true,
      false,
    ]);
    expect(ownersOf([[of(5, 10)], [of(0, 10)]])).toEqual([-1, -1]);
    expect(ownersOf([[of(5, 10)], [of(0, 10)]], 0.4)).toEqual([0, -1]);
  });

  it("sum the posteriors of their components; those of unowned components go to none", () => {
    const posterior = Float32Array.of(0.5, 0.25, 0.125, 0.125, 0, 0.75, 0.25, 0);
    expect([...posteriorOfOwners(posterior, [2, -1, 2, -1], [2])]).toEqual([
      0.625, 0.375, 0.25, 0.75,
    ]);
  });
});
