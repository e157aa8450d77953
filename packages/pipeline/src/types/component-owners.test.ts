import { describe, expect, it } from "vitest";
import { isConfirmed, posteriorOfOwners } from "./component-owners.ts";

const [UP, DOWN] = [0.8, -0.1];

describe("components of types", () => {
  it("have at least half of their markers confirmed, and at least three", () => {
    const of = (up: number, markers: number): number[] =>
      Array.from({ length: markers }, (_, i) => (i < up ? UP : DOWN));
    expect([of(4, 10), of(5, 10), of(2, 3), of(3, 3)].map(isConfirmed)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it("sum the posteriors of their components; those of unowned components go to none", () => {
    const posterior = Float32Array.of(0.5, 0.25, 0.125, 0.125, 0, 0.75, 0.25, 0);
    expect([...posteriorOfOwners(posterior, [2, -1, 2, -1], [2])]).toEqual([
      0.625, 0.375, 0.25, 0.75,
    ]);
  });
});
