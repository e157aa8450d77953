import { describe, expect, it } from "vitest";
import { markerSet } from "../../markers/marker-set.ts";
import { chooseTypes } from "./choose-types.ts";

const sets = [
  markerSet("T cell", "Lymphocyte", ["any"], ""),
  markerSet("B cell", "Lymphocyte", ["any"], ""),
  markerSet("Macrophage", "Myeloid", ["any"], ""),
];

/** Name of a cell given its posteriors of the types and of none. */
function nameOf(posterior: readonly number[], mostLikely: boolean): string | undefined {
  const { type, names } = chooseTypes(Float32Array.from(posterior), 1, sets, { mostLikely });
  return names[type[0]];
}

describe("choosing types", () => {
  it("names a type at a posterior of 0.5, otherwise the lineage that reaches it", () => {
    expect(nameOf([0.5, 0.2, 0.2, 0.1], false)).toBe("T cell");
    expect(nameOf([0.45, 0.15, 0.3, 0.1], false)).toBe("Lymphocyte");
    expect(nameOf([0.45, 0, 0.35, 0.2], false)).toBeUndefined();
  });

  it("accepts 0.4 and two thirds of the lineage when asked for the most likely", () => {
    expect(nameOf([0.45, 0.15, 0.3, 0.1], true)).toBe("T cell");
    expect(nameOf([0.45, 0.25, 0.2, 0.1], true)).toBe("Lymphocyte");
    expect(nameOf([0.38, 0.1, 0.32, 0.2], true)).toBeUndefined();
  });

  it("leaves a cell unnamed that is more likely of no type", () => {
    expect(nameOf([0.42, 0.05, 0.1, 0.43], true)).toBeUndefined();
  });
});
