import { describe, expect, it } from "vitest";
import { groupMeans } from "./group-means.ts";

const NONE = 65_535;
const groupOf = Uint16Array.of(0, 0, 1, 1, NONE, 2);
const values = Float32Array.of(0, 2, 4, 6, 100, 8);

describe("group means", () => {
  it("leave out cells without a group, and count values above 0", () => {
    const { mean, fraction } = groupMeans(values, { groupOf, nGroups: 4, within: null }, "zero");
    expect([...mean]).toEqual([1, 5, 8, Number.NaN]);
    expect([...fraction]).toEqual([0.5, 1, 1, Number.NaN]);
  });

  it("use only the chosen cells, whose mean is the threshold for rates", () => {
    const cells = { groupOf, nGroups: 3, within: Uint8Array.of(0b001_111) };
    const { mean, fraction } = groupMeans(values, cells, "mean");
    expect([...mean]).toEqual([1, 5, Number.NaN]);
    // Their mean is 3.
    expect([...fraction]).toEqual([0, 1, Number.NaN]);
  });
});
